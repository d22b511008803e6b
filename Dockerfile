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

# better-sqlite3 includes its C++ source and a binary for every platform: keep only the one for this image.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS modules
ARG TARGETARCH
WORKDIR /app
COPY package.json package-lock.json .ci/prune-node-modules.sh ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
 && npm sbom --package-lock-only --omit=dev --omit=optional --sbom-format=cyclonedx > /sbom.cdx.json \
 && sh prune-node-modules.sh node_modules $TARGETARCH

# Podman 4 would give this stage the platform of the stage before it.
FROM --platform=$TARGETPLATFORM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Assay" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production ASSAY_HOST=0.0.0.0 ASSAY_DATA_DIR=/data
# Threads share two heaps, and larger blocks are returned to the system at once: a heap would keep memory used at start.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=16384
WORKDIR /app
# Any user of the container may write its state to /data.
RUN rm -rf /usr/local/lib/node_modules /opt/yarn* && mkdir -m 1777 /data
COPY --from=modules /app/node_modules node_modules
COPY --from=modules /sbom.cdx.json ./
COPY --from=build /app/dist dist
USER 1000:1000
VOLUME /data
EXPOSE 8080 8443
# Without a start period the first check runs after one interval; not every builder knows --start-interval.
HEALTHCHECK --interval=2s --timeout=2s --retries=5 CMD ["node", "dist/bin/assay.js", "health"]
# V8 alone takes half as much memory again under load and saves no processor time: docs/containers.md.
ENTRYPOINT ["node", "--max-semi-space-size=8", "--heap-growing-percent=40", "--no-maglev", "--invocation-count-for-turbofan=300", "dist/bin/assay.js"]
CMD ["serve"]
