# Gridlock, to solve alone or as one of many; docker-compose.yml runs a coordinator and workers.
#
#     docker build -t gridlock .
#     docker run --rm gridlock solve 3x3
#     docker run --rm -v gridlock:/data gridlock solve 2x5 --db /data/gridlock.db     keeps what is proven

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
# The SQLite driver is compiled where no ready-made build of it can be had.
RUN apt-get update \
 && apt-get install -y --no-install-recommends python3 make g++ \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /gridlock
COPY . .
# Installing builds. Then the compiler goes, which is what the root package depends on, and of each package all but
# what it runs from.
RUN npm ci --omit=dev \
 && npm pkg delete dependencies \
 && npm prune --omit=dev --ignore-scripts \
 && find packages -mindepth 2 -maxdepth 2 ! -name package.json ! -name bin ! -name dist ! -name wasm ! -name site ! -name web \
      -exec rm -rf {} +

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
ENV NODE_ENV=production
WORKDIR /gridlock
COPY --from=build /gridlock/package.json ./
COPY --from=build /gridlock/node_modules ./node_modules
COPY --from=build /gridlock/packages ./packages
# The pages of gridlock serve show docs/ and results/.
COPY --from=build /gridlock/docs ./docs
COPY --chown=node:node results ./results
# Where databases go: by default to results/, in compose to /data. A volume takes over the owner it finds here.
RUN mkdir /data && chown node:node /data results
USER node
ENTRYPOINT ["node", "packages/cli/bin/gridlock.js"]
CMD ["--help"]
