#!/bin/sh
# Lays a back-up of a Cluster into another Cluster, whose masters may be more or fewer:
#
#     restore-cluster.sh BACKUP NODE FOLDER
#
# BACKUP is the folder that backup.sh made (or a file, of one Redis); NODE a node (host:port) of the new
# Cluster, which is joined and empty; FOLDER where there is room for a copy of one master. One file after
# the other is started by a Redis of its own on the loopback, at the port in PORT (7999), and copied from
# there, each key to the master of its slot. REDISCLI_AUTH is the password of the new Cluster, if it has
# one. Needs redis-server and redis-cli.
set -eu
umask 077
backup=${1:?which back-up? restore-cluster.sh BACKUP NODE FOLDER}
node=${2:?into which Cluster? restore-cluster.sh BACKUP NODE FOLDER}
folder=${3:?where is room? restore-cluster.sh BACKUP NODE FOLDER}
here=$(dirname "$0")
port=${PORT:-7999}

fail() {
    echo "restore: $*" >&2
    exit 1
}

keys() {
    redis-cli --cluster call "$node" DBSIZE --cluster-only-masters |
        awk '/^[^ ]+:[0-9]+: / { n += $NF } END { print n + 0 }'
}

temporary() { (unset REDISCLI_AUTH && redis-cli -p "$port" "$@"); }

[ "$(keys)" = 0 ] || fail "the Cluster holds data already: it may be the better copy"
if temporary ping >/dev/null 2>&1; then fail "somebody listens on port $port: name another in PORT"; fi
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true' EXIT
trap 'exit 1' INT TERM HUP
total=0 lasting=0
if [ -d "$backup" ]; then set -- "$backup"/*.rdb; else set -- "$backup"; fi
for file in "$@"; do
    sh "$here/restore.sh" "$file" "$folder/one" >/dev/null
    redis-server "$here/redis.conf" --dir "$folder/one" --bind 127.0.0.1 --port "$port" \
        --logfile "$folder/one/redis.log" &
    server=$!
    until [ "$(temporary ping 2>/dev/null)" = PONG ]; do
        kill -0 "$server" 2>/dev/null || fail "$file can't be loaded: see $folder/one/redis.log"
        sleep 0.1
    done
    count=$(temporary info keyspace | tr -d '\r' | sed -n 's/^db0:keys=\([0-9]*\),expires=\([0-9]*\).*/\1 \2/p')
    count=${count:-0 0} # a master without keys names no database
    total=$((total + ${count% *})) lasting=$((lasting + ${count% *} - ${count#* }))
    redis-cli --cluster import "$node" --cluster-from "127.0.0.1:$port" --cluster-copy \
        --cluster-replace >"$folder/one/import.log" 2>&1 || fail "see $folder/one/import.log"
    temporary shutdown nosave 2>/dev/null || true
    wait "$server" || true
    server=
    rm -rf "$folder/one"
done
there=$(keys)
echo "$total keys in the back-up, $there in the Cluster"
# Ids of commands end by themselves meanwhile; of what is kept for good nothing may be missing.
[ "$there" -ge "$lasting" ] || fail "$((lasting - there)) or more keys are missing"
