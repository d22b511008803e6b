FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The compiler for a platform is an optional package.
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY .ci .ci
COPY LICENSE README.md ./
COPY bin bin
COPY contracts contracts
COPY fixtures fixtures
COPY hosted-pages hosted-pages
COPY scenarios scenarios
COPY simulator simulator
RUN npm run build && find dist -name '*.d.ts' -delete && rm -r dist/node_modules

# Most packages are part of dist. better-sqlite3 includes its C++ source and a binary for every platform: one is kept.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS modules
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json .ci/prune-node-modules.js ./
COPY --from=build /app/dist/package.json dist/
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
 && npm sbom --package-lock-only --omit=dev --omit=optional --sbom-format=cyclonedx > /sbom.cdx.json \
 && node prune-node-modules.js node_modules dist/package.json $TARGETARCH

# Podman 4 would give this stage the platform of the stage before it.
FROM --platform=$TARGETPLATFORM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Assay" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production ASSAY_HOST=0.0.0.0 ASSAY_DATA_DIR=/data
# Threads share two heaps, and larger blocks are returned to the system at once: a heap would keep memory used at start.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=16384
WORKDIR /app
# Any user of the container may write its state to /data.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn* && mkdir -m 1777 /data compile-cache
COPY --from=modules /app/node_modules node_modules
COPY --from=modules /sbom.cdx.json ./
COPY --from=build /app/dist dist
USER 1000:1000
# A new container has no cache of an earlier start: what start, first page and health check compile is part of the image.
ENV NODE_COMPILE_CACHE=/app/compile-cache
RUN node --max-semi-space-size=8 dist/bin/assay.js serve --data-dir /tmp/first & \
 until node dist/bin/assay.js health --data-dir /tmp/first; do kill -0 $! || exit 1; sleep 0.2; done \
 && node --eval 'await fetch("http://localhost:8080/")' && kill $! && wait $! && rm -r /tmp/first
VOLUME /data
EXPOSE 8080 8443
# Without a start period the first check runs after one interval; not every builder knows --start-interval. The second
# command is for a container whose sandbox was given another folder than ASSAY_DATA_DIR by a flag or file.
HEALTHCHECK --interval=2s --timeout=2s --retries=5 CMD node dist/bin/assay.js health || node dist/bin/assay.js health --pages-port "${ASSAY_PAGES_PORT:-8080}"
# Bounds the part of the heap that new objects take: docs/containers.md.
ENTRYPOINT ["node", "--max-semi-space-size=8", "dist/bin/assay.js"]
CMD ["serve"]
