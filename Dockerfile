# Builds the service from a clean clone. Needs the npm registry and Debian's base image, and nothing else from the network.
#   docker build -t hypha .
#   docker run -p 127.0.0.1:8080:8080 -v hypha-data:/var/lib/hypha hypha
FROM node:24-bookworm-slim AS build
WORKDIR /build
# The packages first: they change less often than the sources.
COPY package.json package-lock.json ./
COPY packages/embedded-mongo/package.json packages/embedded-mongo/package.json
RUN npm ci --no-audit --no-fund
COPY tsconfig.json .swcrc ./
COPY packages packages
COPY scripts scripts
COPY schema schema
COPY dashboard dashboard
COPY src src
RUN npm run build
RUN npm prune --omit=dev --no-audit --no-fund

FROM node:24-bookworm-slim
# Written by `npm run generate` from package.json.
LABEL org.opencontainers.image.title="Hypha" org.opencontainers.image.version="0.1.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/var/lib/hypha
# The first change on the page System Configuration creates the file.
ENV CONFIG_FILE=/var/lib/hypha/application.yml HYPHA_CONFIG_BACKUP_DIRECTORY=/var/lib/hypha/backup/application
WORKDIR /opt/hypha
COPY --from=build /build/package.json /build/package-lock.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/schema schema
COPY --from=build /build/scripts scripts
COPY --from=build /build/dist dist
RUN mkdir -m 700 /var/lib/hypha && chown node:node /var/lib/hypha
USER node
VOLUME /var/lib/hypha
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/main.js"]
