#!/bin/sh
# A back-up of the log, players and views as of now, from the Redis (or the Cluster) that
# HOMESTRETCH_REDIS_URL names, and then of the archive in HOMESTRETCH_ARCHIVE, if there is one:
#
#     backup.sh FOLDER [HOW_MANY]
#
# A file, or of a Cluster a folder with a file of each master, is written beside its name and renamed
# once it is whole; of the older ones the newest 72, or HOW_MANY, stay. Redis forks once; nobody waits.
# Needs redis-cli. It holds every seed and hand of running meetings: keep it like the log itself. What
# to do with it: runbook.md, "Restore".
# The archive comes second: what had left Redis before was in the archive by then. Where none is copied,
# that is said.
set -eu
umask 077
folder=${1:?where to? backup.sh FOLDER [HOW_MANY]}
keep=${2:-72}
url=${HOMESTRETCH_REDIS_URL:?must name the Redis of the log}

mkdir -p "$folder"
name=$folder/homestretch-$(date -u +%Y%m%dT%H%M%SZ)
trap 'rm -rf "$name.part"' EXIT

fail() {
    echo "backup: $*" >&2
    exit 1
}

# copy FILE WORDS: what the Redis that redis-cli reaches by these words holds, whole and on disk. Whole is
# what begins and ends as such a file does; its checksum is looked at by who loads it.
copy() {
    file=$1
    shift
    redis-cli "$@" --rdb "$file" >&2
    [ "$(head -c 5 "$file")" = REDIS ] || fail "Redis sent no data"
    if command -v redis-check-rdb >/dev/null; then
        redis-check-rdb "$file" >/dev/null || fail "it is damaged"
    fi
    sync "$file"
}

# The masters of a Cluster with their slots, as one of its nodes tells them; redis-cli takes the words.
masters() {
    redis-cli "$@" cluster nodes | awk '$3 ~ /master/ && NF > 8 {
        sub(/@.*/, "", $2); printf "%s", $2; for (i = 9; i <= NF; i++) printf " %s", $i; print "" }' | sort
}

# copy_cluster FOLDER WORDS NODE...: a file of each master, if no slot was on its way to another meanwhile:
# what moves could be missing in both. WORDS are redis-cli's for each of them.
copy_cluster() {
    into=$1 words=$2
    shift 2
    for node in "$@"; do
        case $node in *:*) ;; *) node=$node:6379 ;; esac
        set -- $words -h "${node%:*}" -p "${node##*:}"
        if redis-cli "$@" cluster info | grep -q '^cluster_slots_ok:16384'; then break; fi
        set --
    done
    [ $# -gt 0 ] || fail "no node answers, or a master is away: its part would be missing"
    before=$(masters "$@")
    case $before in *'['*) fail "slots are on their way to another master: try again after" ;; esac
    mkdir "$into"
    printf '%s\n' "$before" | while read -r at _; do
        copy "$into/$(printf '%s\n' "$at" | tr ':' '-').rdb" $words \
            -h "${at%:*}" -p "${at##*:}" </dev/null
    done
    [ "$(masters "$@")" = "$before" ] || fail "slots have moved meanwhile: try again"
    sync "$into"
}

rest=${url#*://}
case $url in
*://:*@*) # a password without a user: redis-cli takes it from the environment
    secret=${rest#:}
    export REDISCLI_AUTH="${secret%@*}"
    rest=${rest##*@}
    ;;
esac
case $url in
unix://*)
    whole=$name.rdb
    copy "$name.part" -s "${rest%%\?*}"
    ;;
redis+cluster://* | rediss+cluster://*)
    whole=$name.cluster
    case $url in rediss*) words=--tls ;; *) words= ;; esac
    case $rest in
    *@*)
        words="$words --user ${rest%%:*}"
        secret=${rest#*:}
        export REDISCLI_AUTH="${secret%@*}"
        rest=${rest##*@}
        ;;
    esac
    copy_cluster "$name.part" "$words" $(printf '%s' "${rest%%[/?]*}" | tr ',' ' ')
    ;;
*)
    whole=$name.rdb
    copy "$name.part" -u "${url%%://*}://$rest"
    ;;
esac
mv "$name.part" "$whole"
sync "$folder"
ls -1d "$folder"/homestretch-*.rdb "$folder"/homestretch-*.cluster 2>/dev/null | sort -r |
    tail -n "+$((keep + 1))" | while read -r old; do rm -rf "$old"; done
if [ -d "${HOMESTRETCH_ARCHIVE:-}" ]; then
    mkdir -p "$folder/archive"
    cp -Rpu "$HOMESTRETCH_ARCHIVE/." "$folder/archive/"
elif [ -n "${HOMESTRETCH_ARCHIVE:-}" ]; then
    echo "backup: no archive copied: there is no folder $HOMESTRETCH_ARCHIVE (yet)" >&2
else
    echo "backup: no archive copied: HOMESTRETCH_ARCHIVE is not set (of 'homestretch up' it is" \
        "'archive' in the data folder, unless another was named)" >&2
fi
echo "$whole"
