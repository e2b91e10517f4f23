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
trap 'rm -rf "$name.part" "$folder/archive/.draft-backup-$$"' EXIT
trap 'exit 1' INT TERM HUP
# What one that was killed left behind; nobody writes to it any longer.
find "$folder/." ! -name . -prune -name 'homestretch-*.part' -mtime +0 -exec rm -rf {} +

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

# masters WORDS: the masters of a Cluster, which the node that redis-cli reaches by these words names, with
# the slots that each tells of itself: of what is on its way to another no third one knows.
masters() {
    redis-cli "$@" cluster nodes | awk '$3 ~ /master/ && NF > 8 { sub(/@.*/, "", $2); print $2 }' | sort |
        while read -r at; do
            own=$(redis-cli $words -h "${at%:*}" -p "${at##*:}" cluster nodes </dev/null |
                awk '$3 ~ /myself/ { for (i = 9; i <= NF; i++) printf " %s", $i }')
            [ -n "$own" ] || fail "$at does not tell its slots"
            echo "$at$own"
        done
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

# archive_files FOLDER: the bytes and the name of each of its files, of whole ones alone. (Not by a pipe,
# which would hide that a part of it can't be read.)
archive_files() {
    (cd "$1" && find . ! -name '.draft-*' -type f -exec wc -c {} +) >"$name.part/found"
    awk '$2 ~ "^[.]/" { print $1, $2 }' "$name.part/found"
}

# copy_archive TO: what is missing there, or was cut short. Each file has a name for its content alone (but
# for the mark of the store): what is there is never written over by one that is not longer.
copy_archive() {
    to=$1
    mkdir -p "$to" "$name.part"
    draft=$to/.draft-backup-$$
    archive_files "$to" >"$name.part/there"
    archive_files "$HOMESTRETCH_ARCHIVE" >"$name.part/here"
    {
        awk 'FILENAME == ARGV[1] { size[$2] = $1; next } !($2 in size) || size[$2] < $1 { print $2 }' \
            "$name.part/there" "$name.part/here"
        if [ -e "$HOMESTRETCH_ARCHIVE/store" ]; then echo ./store; fi
    } | while read -r file; do
        if cmp -s "$HOMESTRETCH_ARCHIVE/$file" "$to/$file"; then continue; fi
        mkdir -p "$to/${file%/*}"
        cp -p "$HOMESTRETCH_ARCHIVE/$file" "$draft"
        sync "$draft"
        mv "$draft" "$to/$file"
        sync "$to/${file%/*}"
    done
    rm -rf "$name.part"
}

rest=${url#*://}
# The server's words for TLS stand behind the address; redis-cli takes them as options.
case $rest in *\?*) query=${rest#*\?} ;; *) query= ;; esac
rest=${rest%%\?*}
words=
for told in $(printf '%s' "$query" | tr '&' ' '); do
    case $told in
    ssl_ca_certs=*) words="$words --cacert ${told#*=}" ;;
    ssl_certfile=*) words="$words --cert ${told#*=}" ;;
    ssl_keyfile=*) words="$words --key ${told#*=}" ;;
    ssl_cert_reqs=none) words="$words --insecure" ;;
    esac
done
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
    copy "$name.part" -s "$rest"
    ;;
redis+cluster://* | rediss+cluster://*)
    whole=$name.cluster
    case $url in rediss*) words="$words --tls" ;; esac
    case $rest in
    *@*)
        words="$words --user ${rest%%:*}"
        secret=${rest#*:}
        export REDISCLI_AUTH="${secret%@*}"
        rest=${rest##*@}
        ;;
    esac
    copy_cluster "$name.part" "$words" $(printf '%s' "${rest%%/*}" | tr ',' ' ')
    ;;
*)
    whole=$name.rdb
    copy "$name.part" $words -u "${url%%://*}://$rest"
    ;;
esac
mv "$name.part" "$whole"
sync "$folder"
ls -1d "$folder"/homestretch-*.rdb "$folder"/homestretch-*.cluster 2>/dev/null | sort -r |
    tail -n "+$((keep + 1))" | while read -r old; do rm -rf "$old"; done
if [ -d "${HOMESTRETCH_ARCHIVE:-}" ]; then
    copy_archive "$folder/archive"
elif [ -n "${HOMESTRETCH_ARCHIVE:-}" ]; then
    echo "backup: no archive copied: there is no folder $HOMESTRETCH_ARCHIVE (yet)" >&2
else
    echo "backup: no archive copied: HOMESTRETCH_ARCHIVE is not set (of 'homestretch up' it is" \
        "'archive' in the data folder, unless another was named)" >&2
fi
echo "$whole"
