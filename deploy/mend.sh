#!/bin/sh
# Cuts what a power cut tore off the end of Redis's append-only file, whole transactions only:
#
#     mend.sh FOLDER
#
# FOLDER is Redis's `dir`; Redis must not run. redis.conf has Redis refuse such a file: left to itself it
# would go on behind half a transaction, and take that half for whole at the start after. What is cut
# off was never acknowledged (with `appendfsync everysec`: not yet for sure). Damage further back than 16
# megabytes, or in front of a whole transaction, was not torn off, and is left to a person. Needs
# redis-check-aof, which comes with Redis. service/redis/mending.py does the same where there is no
# shell for it, and one table of files (tests/service/log/test_mending.py) holds both: the image of
# Redis has no Python, and a machine with the embedded Redis no redis-check-aof.
set -eu
folder=${1:?where? mend.sh FOLDER}

# Whether the last bytes of the file hold the end of a transaction; CR and LF are told as spaces.
holds_whole() {
    case $2 in
    *.manifest) last=$(ls -1t "$folder"/appendonlydir/*.incr.aof | head -n 1) ;;
    *) last=$2 ;;
    esac
    tail -c "$1" "$last" | LC_ALL=C tr '\r\n' '  ' | LC_ALL=C grep -aqF '*1  $4  EXEC  '
}

for file in "$folder/appendonlydir/appendonly.aof.manifest" "$folder/appendonly.aof"; do
    [ -e "$file" ] || continue
    if told=$(redis-check-aof "$file" 2>&1); then exit 0; fi
    torn=$(printf '%s\n' "$told" | LC_ALL=C sed -n 's/.*diff=\([0-9]*\).*/\1/p' | tail -n 1)
    if [ -z "$torn" ] || [ "$torn" -gt 16777216 ] || holds_whole "$torn" "$file"; then
        printf '%s\nmend: %s is damaged, not torn; copy it before you do anything\n' "$told" "$file" >&2
        exit 1
    fi
    echo y | redis-check-aof --fix "$file" >/dev/null
    echo "mend: $torn bytes of a torn end cut off $file"
    exit 0
done
