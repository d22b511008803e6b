#!/bin/sh
# Leaves in node_modules what runs on Linux on one processor: sh prune-node-modules.sh NODE_MODULES [amd64|arm64]
set -eu
cd "$1"
arch=$(echo "${2:-$(node -p process.arch)}" | sed s/amd64/x64/)
find better-sqlite3/prebuilds -type f ! -name "linux-$arch.node" -delete
rm -rf better-sqlite3/deps better-sqlite3/src node-addon-api hono/dist/cjs yaml/browser ajv/lib fast-uri/test
find . -type f \( -name '*.map' -o -name '*.md' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' \) -delete
