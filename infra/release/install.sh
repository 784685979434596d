#!/bin/sh
# Installs bothy from this folder, without internet: checks the files, loads the images, starts. Repeat it to upgrade: copy
# your .env and infra/settings into the new folder first. Data is in volumes of Docker.
set -eu
cd "$(dirname "$0")"
sha256sum --check --quiet --strict SHA256SUMS
docker load --quiet --input images.tar.gz
# Volumes belong to a project. Without a name it has that of the folder, and a new version would start empty.
touch .env
grep -q '^COMPOSE_PROJECT_NAME=' .env || echo "COMPOSE_PROJECT_NAME=${COMPOSE_PROJECT_NAME:-bothy}" >> .env
docker compose up --detach --wait --no-build
docker compose run --rm admin owner-link || true
