import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type Environment, isWithin } from '@fucina/shared';

export interface Place {
  /** Absolute real path of something that exists. */
  path: string;
  isFolder: boolean;
}

/** Below the home: keys, tokens and the memory of browsers and shells. Nothing a build or a test needs. */
const SECRETS = `
  .ssh .gnupg .password-store .aws .azure .kube .docker/config.json .git-credentials .netrc .pypirc .vault-token .pgpass
  .my.cnf .terraform.d/credentials.tfrc.json .cargo/credentials .cargo/credentials.toml .gem/credentials
  .config/gh .config/hub .config/glab-cli .config/gcloud .config/op .config/rclone .config/sops .config/doctl
  .config/git/credentials .config/containers/auth.json
  .local/share/keyrings .local/share/kwalletd Library/Keychains
  .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json
  .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi
  .var/app/org.mozilla.firefox .var/app/com.google.Chrome .var/app/org.chromium.Chromium snap/firefox snap/chromium
  Library/Cookies Library/Safari Library/Mail Library/Messages
  Library/Application\\ Support/Google/Chrome Library/Application\\ Support/Firefox
  .bash_history .zsh_history .python_history .node_repl_history .psql_history .mysql_history .sqlite_history .lesshst
`;

/** Below the home: what compilers and package managers fill and read again. What they run at every start is not in it. */
const CACHES = `
  .cache .npm .yarn/berry/cache .bun/install/cache .local/share/pnpm/store .local/state/pnpm .pnpm-store go/pkg
  .cargo/registry .cargo/git .cargo/.package-cache .cargo/.package-cache-mutate .cargo/.global-cache
  .gradle/caches .gradle/daemon .gradle/native .gradle/wrapper .gradle/.tmp .gradle/notifications
  .m2/repository .nuget/packages .local/share/NuGet .ivy2/cache .sbt/boot .ccache .cabal/packages .stack .hex .mix
  Library/Caches
`;

/** The same where a person keeps them elsewhere: the variable and what is below it. */
const CACHE_VARIABLES: readonly (readonly [name: string, ...below: string[]])[] = [
  ['XDG_CACHE_HOME', ''],
  ['GOCACHE', ''],
  ['GOMODCACHE', ''],
  ['UV_CACHE_DIR', ''],
  ['DENO_DIR', ''],
  ['CARGO_HOME', 'registry', 'git', '.package-cache', '.package-cache-mutate', '.global-cache'],
  ['GRADLE_USER_HOME', 'caches', 'daemon', 'native', 'wrapper', '.tmp', 'notifications'],
];

/** Doors to services that would act for a command outside of its reach. */
const SOCKETS = [
  '/run/docker.sock',
  '/run/podman',
  '/run/containerd',
  '/run/dbus/system_bus_socket',
  '/run/snapd.socket',
  '/run/libvirt',
];

/** Spaces in a name are written with a backslash. */
const names = (list: string): string[] =>
  list
    .trim()
    .split(/(?<!\\)\s+/)
    .map((name) => name.replaceAll('\\', ''));

export function homeOf(environment: Environment): string {
  const home = environment.HOME;
  return home !== undefined && isAbsolute(home) ? home : homedir();
}

/** What no command under a sandbox may read, the data folder first; only what exists, none inside another. */
export async function privatePlaces(environment: Environment, dataDir: string): Promise<Place[]> {
  const home = homeOf(environment);
  const own = [environment.XDG_RUNTIME_DIR, `/run/user/${process.getuid?.() ?? 0}`].filter(
    (path) => path !== undefined,
  );
  const paths = [dataDir, ...own, ...SOCKETS, ...names(SECRETS).map((name) => join(home, name))];
  const found = await present(paths);
  return found.filter(
    (one, index) =>
      !found.some((other, at) => isWithin(other.path, one.path) && (other.path !== one.path || at < index)),
  );
}

/** What builds write beside the folder; only what exists. */
export async function cachePlaces(environment: Environment): Promise<Place[]> {
  const home = homeOf(environment);
  const elsewhere = CACHE_VARIABLES.flatMap(([name, ...below]) => {
    const folder = environment[name];
    return folder !== undefined && isAbsolute(folder) ? below.map((one) => join(folder, one)) : [];
  });
  return present([...names(CACHES).map((name) => join(home, name)), ...elsewhere]);
}

async function present(paths: readonly string[]): Promise<Place[]> {
  const found = await Promise.all(
    paths.map(async (asked) => {
      try {
        const path = await realpath(asked);
        return { path, isFolder: (await stat(path)).isDirectory() };
      } catch {
        return undefined; // absent, or out of reach for us and so for the command
      }
    }),
  );
  return found.filter((one) => one !== undefined);
}
