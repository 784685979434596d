#!/bin/sh
# Upgrades the bothy of docker-compose.yml while people use it, or goes back to an earlier image:
#
#   infra/upgrade.sh [--accept-loss] [--despite-faults] [image]
#
# Without an image, one is built from the sources of this folder. Runs on the host, where Docker is, and needs nothing
# else. Docker keeps the former containers until the smoke test of the new ones has passed: the way back is to start them.
# See "With Compose" in docs/operations.md, and docs/adr/0019.
# Lists of ids are split into words.
# shellcheck disable=SC2046,SC2086
set -u
cd "$(dirname "$0")/.." || exit 1

# Added beside the former ones; stun has a published port, so it is replaced in place.
DOUBLED='api events previews previews-pictures janitor'
# Services that only former releases have; their containers stop with the former ones. Before 0.2.0 thumbnails was what
# previews-pictures is.
GONE='thumbnails'
READY_WITHIN=300
# Former images that stay, as ways back.
FORMER_KEPT=2
MOST_RESTARTS=3
# Lines of a new container's log that stay after the way back.
LOG_LINES=1000

accepts_loss='' despite_faults='' image=''
for word; do
  case $word in
    --accept-loss) accepts_loss=1 ;;
    --despite-faults) despite_faults=1 ;;
    -*) echo "Usage: infra/upgrade.sh [--accept-loss] [--despite-faults] [image]" >&2; exit 2 ;;
    *) image=$word ;;
  esac
done

say() { echo "$*" >&2; }
refuse() { why=$*; say "Not begun: ${why%.}. Nothing was changed."; exit 1; }
started=$(date -u +%Y%m%dT%H%M%S)
# With the image that runs, and with the new one.
former() { BOTHY_IMAGE=$former_image docker compose "$@"; }
new() { BOTHY_IMAGE=$image docker compose "$@"; }
# Commands of infra/tools/admin.ts. Their standard output is one line of JSON.
by_former() { former run --rm -T --no-deps admin "$@" --json 2> "$tmp/said"; }
by_new() { new run --rm -T --no-deps admin "$@" --json 2> "$tmp/said"; }
text_of() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' "$2"; }
# What the command says, or else the last line of Docker, Compose or Node.
error_of() {
  error=$(text_of error "$1" | sed 's/\\n/ /g')
  if [ -n "$error" ]; then echo "$error"; else grep . "$tmp/said" | tail -n 1; fi
}
image_of() { docker inspect --format '{{.Image}}' "$1"; }

# All containers of a service, and those with the former image or the new one.
containers() { docker compose ps --all --quiet "$1"; }
with_image() {
  for id in $(containers "$1"); do if [ "$(image_of "$id")" = "$2" ]; then echo "$id"; fi; done
}
not_with_image() {
  for id in $(containers "$1"); do if [ "$(image_of "$id")" != "$2" ]; then echo "$id"; fi; done
}
# Running containers of GONE, which Compose does not list: its file lacks their services.
gone_containers() {
  for service in $GONE; do
    docker ps --quiet --filter "label=com.docker.compose.project=$project" --filter "label=com.docker.compose.service=$service"
  done
}
count() { echo $#; }

services=$(docker compose config --services) || exit 1
is_used() { echo "$services" | grep -qx "$1"; }
doubled=''
for service in $DOUBLED; do if is_used "$service"; then doubled="$doubled $service"; fi; done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# ── 1. What runs, and what shall run ─────────────────────────────────────────────────────────────────────────────

one=$(docker compose ps --quiet --status running api | head -n 1)
[ -n "$one" ] || refuse 'no api container runs here. Stopped, there is nothing to replace: docker compose up -d.'
project=$(docker inspect --format '{{index .Config.Labels "com.docker.compose.project"}}' "$one")

if [ -z "$image" ]; then
  version=$(sed -n 's/^ *"version": "\(.*\)".*/\1/p' package.json | head -n 1)
  commit=$(git rev-parse --short=12 HEAD 2> "$tmp/git" || date -u +%Y%m%d%H%M)
  image="bothy:$version-$commit"
  say "Building $image …"
  BOTHY_COMMIT=$commit new build --quiet api >&2 || refuse 'the image could not be built.'
fi
new_id=$(docker image inspect --format '{{.Id}}' "$image" 2> "$tmp/image") ||
  refuse "there is no image $image. Load or pull it first, or give none to build it."

# A run that was interrupted leaves containers of both images.
old=$(not_with_image api "$new_id" | head -n 1)
[ -n "$old" ] || refuse "all api containers run $image already."
former_image="bothy:before-$started"
former_id=$(image_of "$old")
former_name=$(docker inspect --format '{{.Config.Image}}' "$old")
docker tag "$former_id" "$former_image" || exit 1
give_up() { docker image rm "$former_image" > "$tmp/removed" 2>&1; refuse "$@"; }
version_in() { docker run --rm --network none --entrypoint node "$1" -p "require('/app/package.json').version"; }
from=$(version_in "$former_image") || give_up 'the former image does not start.'
to=$(version_in "$image") || give_up 'the new image does not start.'
say "From bothy $from to $to ($image)."

if [ -z "$despite_faults" ]; then
  former run --rm -T --no-deps admin doctor > "$tmp/doctor" 2> "$tmp/said" || {
    cat "$tmp/said" "$tmp/doctor" >&2
    give_up 'doctor finds the faults above, and says what to do.'
  }
fi
by_new pending --for "$from" > "$tmp/pending" || give_up "which migrations there are cannot be told: $(error_of "$tmp/pending")"
migrations=$(grep -o '"name":"[^"]*"' "$tmp/pending" | cut -d '"' -f 4 | tr '\n' ' ')
say "Migrations: ${migrations:-none}"
keeps=''
if grep -q '"keeps":true' "$tmp/pending"; then keeps=1; fi
if [ -z "$keeps" ]; then
  reason="bothy $from cannot run on that schema, so the way back is the backup of this upgrade: what people write after it would be in the former database only."
  [ -n "$accepts_loss" ] || give_up "$reason At an hour when nobody writes, say --accept-loss."
  say "$reason"
fi

# ── 2. A proven backup, and the schema ───────────────────────────────────────────────────────────────────────────

by_former backup > "$tmp/backup" || give_up "the backup failed: $(error_of "$tmp/backup")"
backup=$(text_of path "$tmp/backup")
# The newer one of both releases knows the schema: after an upgrade that went back that is the new one.
by_former verify "$backup" --drill > "$tmp/verify" || by_new verify "$backup" --drill > "$tmp/verify" ||
  give_up "the proof failed: $(error_of "$tmp/verify")"
say "Proven backup: $backup"

# setup makes secrets that the former release did not have; database migrates.
for service in setup database; do
  if is_used "$service"; then
    if ! new run --rm -T --no-deps "$service" > "$tmp/$service" 2>&1; then
      cat "$tmp/$service" >&2
      say 'The processes were left alone.'
      exit 1
    fi
  fi
done

# ── 3. New containers beside the former ones ─────────────────────────────────────────────────────────────────────

for service in $doubled; do not_with_image "$service" "$new_id" > "$tmp/former-$service"; done
gone=$(gone_containers)
former_ids() { cat "$tmp/former-$1"; }

# A busy machine may find a container unhealthy for a while. One that ends again and again stays so.
wait_healthy() {
  end=$(($(date +%s) + READY_WITHIN))
  for id; do
    until [ "$(docker inspect --format '{{.State.Health.Status}}' "$id")" = healthy ]; do
      [ "$(date +%s)" -lt $end ] || return 1
      [ "$(docker inspect --format '{{.RestartCount}}' "$id")" -lt $MOST_RESTARTS ] || return 1
      sleep 1
    done
  done
}
# Why a container does not run: the error in its log, or else what Node printed.
reason_of() {
  for id; do docker logs --tail "$LOG_LINES" "$id"; done > "$tmp/log" 2>&1
  grep '"level":"\(error\|fatal\)"' "$tmp/log" | tail -n 1 > "$tmp/error"
  if [ -s "$tmp/error" ]; then
    echo "$(text_of msg "$tmp/error") $(text_of message "$tmp/error")$(sed -n 's/.*"faults":\[\([^]]*\)\].*/\1/p' "$tmp/error")"
  else grep -m 1 '^[A-Za-z]*Error' "$tmp/log" || tail -n 1 "$tmp/log"; fi
}
# Of containers that are removed afterwards.
keep_logs() {
  log=$PWD/.data/logs/upgrade-$started.log
  mkdir -p "${log%/*}"
  for id; do
    docker inspect --format '--- {{.Name}}, {{.State.Status}}, ended with {{.State.ExitCode}}, started again {{.RestartCount}} times' "$id"
    docker logs --tail "$LOG_LINES" "$id"
  done > "$log" 2>&1
  say "Logs of the new containers: $log"
}
take_over_redis_users() {
  # After the rights of the users of shared/stores/redis-users.ts changed (infra/tools/make-secrets.ts).
  if is_used redis; then docker compose exec -T redis sh -c \
    'redis-cli -e --no-auth-warning -a "$(sed -n "s/^user default on >\([^ ]*\).*/\1/p" /secrets-redis/users)" acl load' \
    > "$tmp/acl" 2>&1 || cat "$tmp/acl" >&2; fi
}
# A process finishes its requests and connections first (shared/runtime/lifecycle.ts).
stop() { if [ $# -gt 0 ]; then docker stop "$@" > "$tmp/stopped" 2>&1; fi; }
remove() { if [ $# -gt 0 ]; then docker rm --force "$@" > "$tmp/removed" 2>&1; fi; }

# Also if only the hook of the operator failed afterwards. The new release restores what a former upgrade migrated.
restored() {
  release=$1
  shift
  "$release" restore "$backup" --replace "$@" > "$tmp/restore" || [ -n "$(text_of kept "$tmp/restore")" ]
}

go_back() {
  trap '' INT TERM HUP
  say "$* Going back."
  added=''
  for service in $doubled; do added="$added $(with_image "$service" "$new_id")"; done
  if is_used stun; then added_stun=$(with_image stun "$new_id"); else added_stun=''; fi
  keep_logs $added $added_stun
  data=''
  if [ -z "$keeps" ]; then
    remove $added
    added=''
    if restored by_former || restored by_new --without-migrations; then
      data=", with the data of the backup; what was written after it is in the database $(text_of kept "$tmp/restore")"
    else
      say "The restore failed: $(error_of "$tmp/restore"). Repeat it: BOTHY_IMAGE=$former_image docker compose run --rm admin restore $backup --replace"
    fi
  fi
  ids=$gone
  for service in $doubled; do ids="$ids $(former_ids "$service")"; done
  docker start $ids > "$tmp/started" || say 'Some of the former containers do not start: docker compose ps --all'
  wait_healthy $ids || say 'Some of the former containers are not healthy: docker compose ps'
  stop $added
  remove $added
  if [ -n "$added_stun" ]; then former up --detach --no-deps --no-build stun >&2; fi
  # Unless the name from which they were made is still that of the former image.
  configured=$(docker image inspect --format '{{.Id}}' "$former_name" 2> "$tmp/image")
  if [ "$configured" = "$former_id" ]; then docker image rm "$former_image" > "$tmp/removed" 2>&1; else keep_image "$former_image"; fi
  say "bothy $from runs as before$data."
  exit 1
}
# For the next `docker compose up`.
keep_image() {
  file=${COMPOSE_ENV_FILES:-.env}
  file=${file##*,}
  touch "$file"
  grep -v '^BOTHY_IMAGE=' "$file" > "$tmp/env"
  echo "BOTHY_IMAGE=$1" >> "$tmp/env"
  cat "$tmp/env" > "$file"
}
# An image that a container or .env uses stays.
remove_older_images() {
  docker image ls --format '{{.Repository}}:{{.Tag}}' --filter 'reference=bothy:before-*' | sort -r |
    tail -n "+$((FORMER_KEPT + 1))" | grep -vxF "$image" |
    while read -r older; do docker image rm "$older" > "$tmp/removed" 2>&1; done
}
trap 'go_back Interrupted.' INT TERM HUP
take_over_redis_users
# One service at a time: a start takes the processor from those who talk.
for service in $doubled; do
  n=$(count $(former_ids "$service"))
  # A service that the former release lacks has the number of docker-compose.yml.
  scale=''
  if [ "$n" -gt 0 ]; then scale="--scale $service=$((2 * n))"; fi
  new up --detach --no-deps --no-recreate --no-build $scale "$service" > "$tmp/up" 2>&1 ||
    { tail -n 5 "$tmp/up" >&2; go_back "The new $service cannot be made."; }
  wait_healthy $(with_image "$service" "$new_id") ||
    go_back "The new $service is not healthy: $(reason_of $(with_image "$service" "$new_id"))."
done
say 'The new containers are healthy.'

# ── 4. The former ones stop, one by one ──────────────────────────────────────────────────────────────────────────

for service in $doubled; do
  for id in $(former_ids "$service"); do
    stop "$id" || go_back 'A former container does not stop.'
  done
done
stop $gone || go_back 'A former container does not stop.'
if is_used stun; then
  new up --detach --no-deps --no-build stun > "$tmp/up" 2>&1 ||
    { tail -n 5 "$tmp/up" >&2; go_back 'The new stun cannot be made.'; }
  wait_healthy $(containers stun) || go_back "The new stun is not healthy: $(reason_of $(containers stun))."
fi
say 'All processes are replaced.'

# ── 5. Smoke test ────────────────────────────────────────────────────────────────────────────────────────────────

by=$(with_image api "$new_id" | head -n 1)
docker exec "$by" node infra/tools/admin.ts smoke --at http://api:8080 --events-at http://events:8080 --json \
  > "$tmp/smoke" 2> "$tmp/said" || go_back "$(error_of "$tmp/smoke")"
trap '' INT TERM HUP
say 'The smoke test passed.'
keep_image "$image"
ids=$gone
for service in $doubled; do ids="$ids $(former_ids "$service")"; done
remove $ids
# Containers that ran once have the former image: not started, but made anew, so that `docker compose up` finds nothing to do.
once=''
for service in setup database; do if is_used "$service"; then once="$once $service"; fi; done
if [ -n "$once" ]; then
  new up --no-start --no-deps --no-build $once > "$tmp/up" 2>&1 || tail -n 5 "$tmp/up" >&2
fi
remove_older_images
say "bothy $to runs. The way back, later: infra/upgrade.sh $former_image"
