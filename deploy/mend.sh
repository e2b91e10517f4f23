#!/bin/sh
# Cuts what a power cut tore off the end of Redis's append-only file, whole transactions only:
#
#     mend.sh FOLDER
#
# FOLDER is Redis's `dir`; Redis must not run. redis.conf has Redis refuse such a file: left to itself it
# would go on behind half a transaction, and take that half for whole at the start after. What is cut
# off was never acknowledged (with `appendfsync everysec`: not yet for sure). Damage further back than 16
# megabytes was not torn off, and is left to a person. Needs redis-check-aof, which comes with Redis.
set -eu
folder=${1:?where? mend.sh FOLDER}

for file in "$folder/appendonlydir/appendonly.aof.manifest" "$folder/appendonly.aof"; do
    [ -e "$file" ] || continue
    if told=$(redis-check-aof "$file" 2>&1); then exit 0; fi
    torn=$(printf '%s\n' "$told" | sed -n 's/.*diff=\([0-9]*\).*/\1/p' | tail -n 1)
    if [ -z "$torn" ] || [ "$torn" -gt 16777216 ]; then
        printf '%s\nmend: %s is damaged, not torn; copy it before you do anything\n' "$told" "$file" >&2
        exit 1
    fi
    echo y | redis-check-aof --fix "$file" >/dev/null
    echo "mend: $torn bytes of a torn end cut off $file"
    exit 0
done
