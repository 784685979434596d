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

# Those that take requests, those that take jobs. stun has a published port, so it is replaced in place.
DOORS='api events'
ROLLED="$DOORS previews thumbnails janitor"
READY_WITHIN=300
# Former images that stay, as ways back.
FORMER_KEPT=2
MOST_RESTARTS=3
# Caddy uses its connections to a process meanwhile, and each ends with its next response (shared/runtime/lifecycle.ts).
DRAIN_SECONDS=3

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
refuse() { say "Not begun: $* Nothing was changed."; exit 1; }
# With the image that runs, and with the new one.
former() { BOTHY_IMAGE=$former_image docker compose "$@"; }
new() { BOTHY_IMAGE=$image docker compose "$@"; }
# Commands of infra/tools/admin.ts. Their standard output is one line of JSON.
by_former() { former run --rm -T --no-deps admin "$@" --json; }
by_new() { new run --rm -T --no-deps admin "$@" --json; }
text_of() { sed -n 's/.*"'"$1"'":"\([^"]*\)".*/\1/p' "$2"; }
error_of() { text_of error "$1" | sed 's/\\n/ /g'; }
image_of() { docker inspect --format '{{.Image}}' "$1"; }

# All containers of a service, and those with the former image or the new one.
containers() { docker compose ps --all --quiet "$1"; }
with_image() {
  for id in $(containers "$1"); do if [ "$(image_of "$id")" = "$2" ]; then echo "$id"; fi; done
}
not_with_image() {
  for id in $(containers "$1"); do if [ "$(image_of "$id")" != "$2" ]; then echo "$id"; fi; done
}
count() { echo $#; }

services=$(docker compose config --services) || exit 1
is_used() { echo "$services" | grep -qx "$1"; }
rolled=''
for service in $ROLLED; do if is_used "$service"; then rolled="$rolled $service"; fi; done

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# ── 1. What runs, and what shall run ─────────────────────────────────────────────────────────────────────────────

one=$(docker compose ps --quiet --status running api | head -n 1)
[ -n "$one" ] || refuse 'no api container runs here. Stopped, there is nothing to replace: docker compose up -d.'

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
former_image="bothy:before-$(date -u +%Y%m%dT%H%M%S)"
former_id=$(image_of "$old")
former_name=$(docker inspect --format '{{.Config.Image}}' "$old")
docker tag "$former_id" "$former_image" || exit 1
give_up() { docker image rm "$former_image" > "$tmp/removed" 2>&1; refuse "$@"; }
version_in() { docker run --rm --network none --entrypoint node "$1" -p "require('/app/package.json').version"; }
from=$(version_in "$former_image") || give_up 'the former image does not start.'
to=$(version_in "$image") || give_up 'the new image does not start.'
say "From bothy $from to $to ($image)."

if [ -z "$despite_faults" ]; then
  by_former doctor > "$tmp/doctor" ||
    give_up 'docker compose run --rm admin doctor finds faults, and says what to do.'
fi
by_new pending --for "$from" > "$tmp/pending" || give_up "$(error_of "$tmp/pending")"
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

for service in $rolled; do not_with_image "$service" "$new_id" > "$tmp/former-$service"; done
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
take_over_redis_users() {
  # After the rights of previews and thumbnails changed (infra/tools/make-secrets.ts).
  if is_used redis; then docker compose exec -T redis sh -c \
    'redis-cli -e --no-auth-warning -a "$(sed -n "s/^user default on >\([^ ]*\).*/\1/p" /secrets-redis/users)" acl load' \
    > "$tmp/acl" 2>&1 || cat "$tmp/acl" >&2; fi
}
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
  for service in $rolled; do added="$added $(with_image "$service" "$new_id")"; done
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
  ids=''
  for service in $rolled; do ids="$ids $(former_ids "$service")"; done
  docker start $ids > "$tmp/started" || say 'Some of the former containers do not start: docker compose ps --all'
  wait_healthy $ids || say 'Some of the former containers are not healthy: docker compose ps'
  drain $added
  stop $added
  remove $added
  if is_used stun && [ -n "$(with_image stun "$new_id")" ]; then former up --detach --no-deps --no-build stun >&2; fi
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
drain() {
  if [ $# -gt 0 ]; then
    docker kill --signal URG "$@" > "$tmp/drained" 2>&1
    sleep $DRAIN_SECONDS
  fi
}

trap 'go_back Interrupted.' INT TERM HUP
take_over_redis_users
# One service at a time: a start takes the processor from those who talk.
for service in $rolled; do
  n=$(count $(former_ids "$service"))
  new up --detach --no-deps --no-recreate --no-build --scale "$service=$((2 * n))" "$service" > "$tmp/up" 2>&1 ||
    { tail -n 5 "$tmp/up" >&2; go_back "The new $service cannot be made."; }
  wait_healthy $(with_image "$service" "$new_id") || go_back "The new $service is not healthy."
done
say 'The new containers are healthy.'

# ── 4. The former ones stop, one by one ──────────────────────────────────────────────────────────────────────────

for service in $rolled; do
  for id in $(former_ids "$service"); do
    case " $DOORS " in *" $service "*) drain "$id" ;; esac
    stop "$id" || go_back 'A former container does not stop.'
  done
done
if is_used stun; then
  new up --detach --no-deps --no-build stun > "$tmp/up" 2>&1 ||
    { tail -n 5 "$tmp/up" >&2; go_back 'The new stun cannot be made.'; }
  wait_healthy $(containers stun) || go_back 'The new stun is not healthy.'
fi
say 'All processes are replaced.'

# ── 5. Smoke test ────────────────────────────────────────────────────────────────────────────────────────────────

by=$(with_image api "$new_id" | head -n 1)
docker exec "$by" node infra/tools/admin.ts smoke --at http://api:8080 --events-at http://events:8080 --json \
  > "$tmp/smoke" || go_back "$(error_of "$tmp/smoke")"
trap '' INT TERM HUP
say 'The smoke test passed.'
keep_image "$image"
ids=''
for service in $rolled; do ids="$ids $(former_ids "$service")"; done
remove $ids
remove_older_images
say "bothy $to runs. The way back, later: infra/upgrade.sh $former_image"
