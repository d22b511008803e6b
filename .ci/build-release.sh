#!/usr/bin/env bash
# Builds a release into release/ and stops before publishing: bash .ci/build-release.sh [--tested]
#
# The npm tarball, an image archive for each architecture, the SBOM, the notes from CHANGELOG.md and SHA-256 sums.
# --tested skips .ci/run. ARCHITECTURES chooses the images; "amd64 arm64" if unset. Building for another architecture
# than the machine's own needs QEMU's binfmt handlers.
set -euo pipefail
cd "$(dirname "$0")/.."
fail() { echo "release: $*" >&2; exit 1; }
field() { node -p "require('./package.json').$1"; }

[ $# -eq 0 ] || [ "$*" = --tested ] || fail "unknown arguments: $*. There is only --tested."
name=$(field name | sed "s|.*/||") version=$(field version) out=release
tag=v$version
own=$(node -p 'process.arch' | sed s/x64/amd64/)
read -ra architectures <<<"${ARCHITECTURES:-amd64 arm64}"

[ -z "$(git status --porcelain)" ] || fail "the working tree has changes: commit or stash them."
tagged=$(git rev-parse --quiet --verify "refs/tags/$tag^{commit}" || true)
[ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] || fail "$tag is another commit: raise the version in package.json."
grep -qE "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
  fail "CHANGELOG.md has no section \"## [$version] - YYYY-MM-DD\": move there what is under Unreleased."
notes=$(awk -v head="## [$version]" '/^## /{on = index($0, head) == 1; next} /^\[[^]]*\]: /{on = 0} on' CHANGELOG.md)
[ -n "${notes//[[:space:]]/}" ] || fail "the section of $version in CHANGELOG.md is empty."

if docker buildx version 2>&1 | grep -q docker/buildx; then engine=docker # podman may be installed as docker
elif command -v podman >/dev/null; then engine=podman
elif command -v buildah >/dev/null; then engine=buildah
else fail "building the image needs docker with buildx, podman or buildah."; fi

[ "${1:-}" = --tested ] || bash .ci/run
rm -rf "$out" && mkdir "$out"
printf '%s\n' "$notes" | sed '/./,$!d' >"$out/notes.md"
npm run build
tarball=$(npm pack ./dist --pack-destination "$out" | tail -1)
npm sbom --package-lock-only --omit=dev --omit=optional --sbom-format=cyclonedx >"$out/$name-$version.sbom.cdx.json"

# Writes the image archive of one architecture.
build_image() { # ARCHITECTURE FILE
  local options=(--platform "linux/$1" --label "org.opencontainers.image.version=$version")
  if [ $engine = docker ]; then
    docker buildx build --builder "$name-release" --provenance=false "${options[@]}" --output "type=oci,dest=$2" .
  else
    # podman 4 does not know BUILDPLATFORM by itself
    options=(--build-arg "BUILDPLATFORM=linux/$own" --build-arg "TARGETARCH=$1" "${options[@]}")
    "$engine" build --format docker "${options[@]}" --tag "$name:$version-$1" .
    "$engine" push "$name:$version-$1" "$transport:$2:$name:$version-$1"
  fi
}
transport=docker-archive # the OCI format of podman and buildah has no health check
if [ $engine = docker ]; then
  transport=oci-archive # the default builder of docker cannot write it
  docker buildx inspect "$name-release" >/dev/null 2>&1 || docker buildx create --name "$name-release" --driver docker-container
fi
copies=() tags=()
for arch in "${architectures[@]}"; do
  build_image "$arch" "$out/$name-$version-linux-$arch.tar"
  tags+=("REGISTRY/$name:$version-$arch")
  copies+=("  skopeo copy $transport:$out/$name-$version-linux-$arch.tar docker://REGISTRY/$name:$version-$arch")
done
(cd "$out" && sha256sum -- * >SHA256SUMS)

cat <<END

$out/ holds $name $version. Nothing is published. To publish it, type with your registry in place of REGISTRY:

$([ -n "$tagged" ] || echo "  git tag --sign $tag --message '$name $version'")
  git push origin $tag
  npm publish --access public ./$out/$tarball
$(printf '%s\n' "${copies[@]}")
  docker buildx imagetools create --tag REGISTRY/$name:$version ${tags[*]}
  gh release create $tag --notes-file $out/notes.md $out/*.tgz $out/*.json $out/SHA256SUMS
END
