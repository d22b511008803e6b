FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=optional --ignore-scripts
COPY tsconfig.json tsconfig.build.json ./
COPY bin bin
COPY contracts contracts
COPY hosted-pages hosted-pages
COPY scenarios scenarios
COPY simulator simulator
RUN npm run build

# better-sqlite3 carries its C++ source and a binary for every platform: only the one for this image stays.
FROM node:24-bookworm-slim AS modules
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts \
 && cd node_modules/better-sqlite3 && rm -rf deps src binding.gyp \
 && find prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete

FROM node:24-bookworm-slim
ENV NODE_ENV=production ASSAY_HOST=0.0.0.0 ASSAY_DATA_DIR=/data
WORKDIR /app
RUN rm -rf /usr/local/lib/node_modules /opt/yarn* && mkdir /data && chown node:node /data
COPY --from=modules /app/node_modules node_modules
COPY --from=build /app/dist dist
USER 1000:1000
VOLUME /data
EXPOSE 8080 8443
# With no start period the first question comes after one interval; not every builder knows --start-interval.
HEALTHCHECK --interval=2s --timeout=2s --retries=5 CMD ["node", "dist/bin/assay.js", "health"]
ENTRYPOINT ["node", "dist/bin/assay.js"]
CMD ["serve"]
