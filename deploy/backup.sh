#!/bin/sh
# A back-up of the log, players and views as of now, from the Redis that HOMESTRETCH_REDIS_URL names,
# and then of the archive in HOMESTRETCH_ARCHIVE, if there is one:
#
#     backup.sh FOLDER [HOW_MANY]
#
# The file is written beside its name and renamed once it is whole; of the older ones the newest 72,
# or HOW_MANY, stay. Redis forks once; nobody waits. Needs redis-cli. It holds every seed and hand of
# running meetings: keep it like the log itself. What to do with it: runbook.md, "Restore".
# The archive comes second: what had left Redis before was in the archive by then.
set -eu
umask 077
folder=${1:?where to? backup.sh FOLDER [HOW_MANY]}
keep=${2:-72}
url=${HOMESTRETCH_REDIS_URL:?must name the Redis of the log}

mkdir -p "$folder"
file=$folder/homestretch-$(date -u +%Y%m%dT%H%M%SZ).rdb
trap 'rm -f "$file.part"' EXIT

case $url in
unix://*)
    path=${url#unix://}
    set -- -s "${path%%\?*}"
    ;;
redis://:*@* | rediss://:*@*) # a password without a user: redis-cli takes it from the environment
    secret=${url#*://:}
    export REDISCLI_AUTH="${secret%@*}"
    set -- -u "${url%%://*}://${url##*@}"
    ;;
*) set -- -u "$url" ;;
esac
redis-cli "$@" --rdb "$file.part" >&2

# Whole is what begins and ends as such a file does; its checksum is looked at by who loads it.
[ "$(head -c 5 "$file.part")" = REDIS ] || { echo "backup: Redis sent no data" >&2; exit 1; }
if command -v redis-check-rdb >/dev/null; then
    redis-check-rdb "$file.part" >/dev/null || { echo "backup: it is damaged" >&2; exit 1; }
fi
sync "$file.part" "$folder"
mv "$file.part" "$file"
sync "$folder"
ls -1 "$folder"/homestretch-*.rdb | sort -r | tail -n "+$((keep + 1))" | while read -r old; do
    rm -f "$old"
done
if [ -d "${HOMESTRETCH_ARCHIVE:-}" ]; then
    mkdir -p "$folder/archive"
    cp -Rpu "$HOMESTRETCH_ARCHIVE/." "$folder/archive/"
fi
echo "$file"
