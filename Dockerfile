# The image of the programs that run in a cluster: sidecar, lifecycle runner and keep-alive page.
#
#   docker build -t registry.example.edu/platform/quiesce:0.1.0 .
#
# It runs as nobody in particular, writes nowhere but to $TMPDIR and the volumes it is given, and starts no shell: the
# root file system may be read-only.

FROM node:20-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run build

# For releases that Helm keeps of a component that is uninstalled. Go checks what it fetches against its checksum database.
FROM golang:1.26-bookworm AS helm
RUN CGO_ENABLED=0 go install -trimpath -ldflags "-s -w" helm.sh/helm/v4/cmd/helm@v4.2.4

FROM node:20-bookworm-slim
# Git, and ssh for those who reach their repository by it, are for the programs that commit; the sidecar uses neither.
RUN apt-get update \
 && apt-get install --yes --no-install-recommends ca-certificates git openssh-client \
 && rm -rf /var/lib/apt/lists/* \
 && rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn*
COPY --from=build /source/package.json /source/LICENSE /opt/quiesce/
COPY --from=build /source/dist/cli /opt/quiesce/cli
COPY --from=build /source/dist/sidecar.js /opt/quiesce/
COPY --from=helm /go/bin/helm /usr/local/bin/helm
COPY --from=build /source/dist/keepalive /opt/quiesce/keepalive
# One name for all of them. Sidecar and keep-alive page have files of their own, a tenth of the rest.
COPY --chmod=0755 <<'LAUNCHER' /usr/local/bin/quiesce
#!/usr/local/bin/node
const own = { sidecar: 'sidecar.js', keepalive: 'keepalive/main.js' };
import(`/opt/quiesce/${own[process.argv[2]] ?? 'cli/main.js'}`);
LAUNCHER
# ssh refuses to work for a user that has no name.
RUN echo 'quiesce:x:65532:65532::/tmp:/usr/sbin/nologin' >> /etc/passwd
ENV NODE_ENV=production
USER 65532:65532
ENTRYPOINT ["quiesce"]
CMD ["--help"]
