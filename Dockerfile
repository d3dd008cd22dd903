# A server of what is in generated/. docs/deployment.md says how to build and run it.

FROM node:26-bookworm-slim AS build
RUN apt-get update \
  && apt-get install -y --no-install-recommends binutils \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json package-lock.json ./
COPY runtime ./runtime
# Without the packages of the generator, and what is only read by compilers and people.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund \
  && npm pkg delete devDependencies dependencies.ts-morph dependencies.prettier dependencies.diff dependencies.yaml \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.*ts' -o -name '*.md' \) -delete \
  && rm -rf node_modules/zod/src node_modules/*/test node_modules/.package-lock.json
COPY generated ./generated
# The file system of the server: Node without debugging symbols (a fifth of it), the libraries it needs, and two folders.
RUN mkdir -p /server/usr/bin /server/etc /server/tmp /server/data \
  && strip --strip-all -o /server/usr/bin/node "$(command -v node)" \
  && ldd /server/usr/bin/node | grep -o '/[^ ]*\.so[^ ]*' | xargs -I{} cp --parents -L {} /server \
  && echo 'records:x:10001:10001::/data:/sbin/nologin' > /server/etc/passwd \
  && echo 'records:x:10001:' > /server/etc/group \
  && chmod 1777 /server/tmp \
  && chown 10001:10001 /server/data \
  && cp -r /app /server/app \
  && chroot /server /usr/bin/node --version

FROM scratch
COPY --from=build /server /
WORKDIR /app
USER 10001:10001
# One arena of malloc saves 20 MB. The compile cache lasts as long as the container.
ENV HOST=0.0.0.0 \
  PORT=3000 \
  DATABASE_URL=sqlite:/data/records.db \
  MALLOC_ARENA_MAX=1 \
  NODE_COMPILE_CACHE=/tmp/node-compile
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["/usr/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Arguments are those of `npm start`, or a command like `keys list`.
ENTRYPOINT ["/usr/bin/node", "--max-semi-space-size=8", "-r", "./runtime/cli/prepare-node.cjs", "generated/server.ts"]
