# syntax=docker/dockerfile:1
# The store as an image; docs/operations.md says how to run it.

# The same as in scripts/runtime/package.json, where `npm start` takes it from.
ARG NODE=24.21.0-trixie-slim

FROM node:${NODE} AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
RUN --mount=type=cache,target=/root/.npm npm ci --omit=dev --ignore-scripts
COPY . .
RUN node scripts/build.ts
# Removes what only builds and browsers need: it is in dist now.
RUN npm uninstall --omit=dev --ignore-scripts --offline \
    vite @vitejs/plugin-react @tanstack/router-plugin postcss-preset-mantine \
    react react-dom @iconify-json/tabler zustand get-nonce idb-keyval papaparse pdf-lib pdfjs-dist heic-to \
    @mantine/core @mantine/form @mantine/hooks @mantine/modals @mantine/notifications \
    @tanstack/react-query @tanstack/react-router @tanstack/react-virtual @trpc/client @trpc/react-query \
    @hello-pangea/dnd @simplewebauthn/browser workbox-expiration workbox-strategies

FROM node:${NODE}
# Makes PDFs of office files: 320 MB. docs/operations.md says what its conversions are kept from.
RUN apt-get update \
  && apt-get install --yes --no-install-recommends \
    libreoffice-writer-nogui libreoffice-impress-nogui libreoffice-calc-nogui libreoffice-math-nogui \
    fonts-crosextra-carlito fonts-crosextra-caladea fonts-liberation2 fonts-dejavu-core \
  && rm -rf /var/lib/apt/lists/*
# Nobody can abuse what is not there.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && install --directory --owner=node --group=node --mode=700 /data
# MALLOC_ARENA_MAX: each of the server's threads would keep an arena of memory that it once used.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
COPY db db
COPY src/shared src/shared
COPY src/server src/server
COPY scripts/seed.ts scripts/create-admin.ts scripts/backup.ts scripts/restore.ts scripts/
COPY scripts/migrate-to-postgres.ts scripts/move-files.ts scripts/pseudonym.ts scripts/arguments.ts scripts/
COPY scripts/backup scripts/backup
COPY scripts/migrate-to-postgres scripts/migrate-to-postgres
COPY scripts/move-files scripts/move-files
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server/main.js"]
