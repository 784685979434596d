#!/bin/sh
# Installs bothy from this folder, without internet: checks the files, loads the images, starts. In the folder of a newer
# release, with your .env and infra/settings copied into it, it upgrades the bothy that runs (infra/upgrade.sh, which takes
# the arguments): proven backup, new containers before the former ones stop, and a way back. Data is in volumes of Docker.
#
#   ./install.sh [--accept-loss] [--despite-faults]
set -eu
cd "$(dirname "$0")"
sha256sum --check --quiet --strict SHA256SUMS
image=$(cat image-name)

# Volumes belong to a project. Without a name it has that of the folder, and a new version would start empty.
touch .env
grep -q '^COMPOSE_PROJECT_NAME=' .env || echo "COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-bothy}" >> .env
project=${COMPOSE_PROJECT_NAME:-$(sed -n 's/^COMPOSE_PROJECT_NAME=//p' .env | tail -n 1)}

# Before the images are loaded: afterwards the former one may have lost its name.
running=$(docker compose ps --quiet --status running api)
if [ -z "$running" ] && [ ! -e .installed ] &&
  docker volume ls --quiet --filter "label=com.docker.compose.project=$project" | grep -q .; then
  echo "The volumes of $project have an installation that does not run. In its former folder: docker compose up -d --wait.
Then repeat this: an upgrade begins with a backup. To start this release on them without one: touch .installed" >&2
  exit 1
fi
docker load --quiet --input images.tar.gz

loaded=$(docker image inspect --format '{{.Id}}' "$image")
for id in $running; do
  if [ "$(docker inspect --format '{{.Image}}' "$id")" != "$loaded" ]; then
    # .env names the image afterwards, the former one if it went back.
    infra/upgrade.sh "$@" "$image"
    break
  fi
done
touch .installed
# Not the former image that .env may name after a way back.
if [ -z "$running" ]; then
  sed -i '/^BOTHY_IMAGE=/d' .env
  echo "BOTHY_IMAGE=$image" >> .env
fi
docker compose up --detach --wait --no-build
docker compose run --rm admin owner-link || true
