#!/bin/sh
# Gives PostgreSQL and Redis of docker-compose.yml new passwords. Sends are refused for some seconds meanwhile, and repeated by
# the browsers. An interrupted run is repeated.
set -eu
cd "$(dirname "$0")/.."

docker compose ps --quiet --status running postgres redis | grep -q . ||
  { echo 'PostgreSQL and Redis do not run here. Nothing was changed.' >&2; exit 1; }
docker compose run --rm -T --no-deps setup \
  node infra/tools/make-secrets.ts /secrets /secrets-database /secrets-redis --new-passwords

# Inside its container PostgreSQL asks for no password. They are in no list of processes, and not in its log.
docker compose exec -T postgres sh -c '
  for role in bothy:admin bothy_owner:owner bothy_app:app; do
    printf "alter role %s password \047%s\047;\n" "${role%:*}" "$(cat "/secrets-database/${role#*:}-password")"
  done | psql --quiet --username bothy --dbname bothy --set ON_ERROR_STOP=1
'
# Reads its users when it starts.
docker compose restart redis
docker compose up --detach --no-deps --no-build --force-recreate --wait api events janitor
echo 'PostgreSQL and Redis have new passwords.'
