# The server with everything it needs but PostgreSQL's data: see "In containers" in docs/operations.md.
ARG NODE_IMAGE=docker.io/library/node:22-trixie-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
COPY web/package.json web/
COPY sandbox/package.json sandbox/
COPY e2e/package.json e2e/

FROM manifests AS build
RUN npm ci
COPY . .
RUN node scripts/build.mjs

# The sandbox is what the demo (DEMO=1) needs. The pages are built and need no packages.
FROM manifests AS packages
RUN npm ci --omit=dev --workspace=server --workspace=sandbox \
  # Only for configuration files that the server does not have.
  && rm -rf node_modules/typescript

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=1
WORKDIR /app
# Volumes that are mounted here take over the owner. `images` and `files` are there for servers that share these two.
RUN install -d -m 700 -o 1000 -g 1000 /data /data/images /data/files
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/sandbox/node_modules sandbox/node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
# The account `node` by its number, so that Kubernetes sees that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
# A first start on a database with many orders takes minutes before it answers.
HEALTHCHECK --interval=15s --timeout=5s --start-period=10m \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1 and gets the signals: no shell and no npm in between.
CMD ["node", "--enable-source-maps", "--min-semi-space-size=4", "--max-semi-space-size=4", "dist/server/main.js"]
