#!/bin/sh
# Lays a back-up where a Redis that does not run yet will find it:
#
#     restore.sh FILE FOLDER
#
# FOLDER is the new Redis's `dir`; it must hold no data yet. Then start Redis with redis.conf. A Redis
# with `appendonly yes` reads no snapshot, it would start empty; so the back-up becomes the beginning
# of the append-only file, which Redis 6.2 reads as it is and 7 takes over into its own folder.
set -eu
umask 077
file=${1:?which back-up? restore.sh FILE FOLDER}
folder=${2:?where to? restore.sh FILE FOLDER}

[ "$(head -c 5 "$file")" = REDIS ] || { echo "restore: $file is no back-up" >&2; exit 1; }
for there in appendonly.aof appendonlydir dump.rdb; do
    if [ -e "$folder/$there" ]; then
        echo "restore: $folder holds data ($there); move it away, it may be the better copy" >&2
        exit 1
    fi
done
mkdir -p "$folder"
cp "$file" "$folder/appendonly.aof.part"
sync "$folder/appendonly.aof.part"
mv "$folder/appendonly.aof.part" "$folder/appendonly.aof"
sync "$folder"
echo "restored into $folder: start Redis there, with appendonly yes"
