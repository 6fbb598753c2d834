import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { freePort } from '@fucina/testkit';

/** Content of every secret file, socket and process; never part of a script. */
export const SECRET = `SECRET-${process.pid}-ab12`;

/** Content of files that an attack must not change. */
export const ORIGINAL = 'original\n';

const SECRETS = `
  .ssh/id_ed25519 .aws/credentials .npmrc .m2/settings.xml .gradle/gradle.properties .cache/huggingface/token
  .config/github-copilot/hosts.json .git-credentials .config/google-chrome/Cookies .config/Slack/storage
  .docker/config.json .env .bash_history other/.env
`;
const WRITABLE = `
  other/.git/config .bashrc .ssh/authorized_keys .cargo/bin/cargo .cache/pip/wheel.whl beside.txt
`;
const SOCKETS = `
  home/.1password/agent.sock home/.docker/run/docker.sock home/.colima/default/docker.sock data/server.sock
  run/docker.sock run/keyring/ssh run/bus run/gnupg/S.gpg-agent run/at-spi/bus_0 run/wayland-0
`;
const words = (text: string): string[] => text.trim().split(/\s+/);

export interface Fixture {
  base: string;
  home: string;
  data: string;
  project: string;
  /** A linked worktree of the repository `home/main`. */
  worktree: string;
  /** Variables of the scripts. */
  variables: Record<string, string>;
  /** The original project and its surroundings. */
  reset(): Promise<void>;
  /** Takes the files as they are now for unharmed. */
  accept(): void;
  /** The protected files that an attack changed or created. */
  damage(): string[];
  close(): void;
}

/** A home with secrets, responding sockets, a server on a port, a process with a secret, and a project. */
export async function createFixture(base: string): Promise<Fixture> {
  const [home, data, run] = [join(base, 'home'), join(base, 'data'), join(base, 'run')];
  const [project, worktree] = [join(home, 'project'), join(home, 'worktree')];
  // Unique for this run, because others may run at the same time.
  const own = `${basename(dirname(base))}-${basename(base)}`;
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  for (const name of words(SECRETS)) write(join(home, name), `${SECRET}\n`);
  write(join(home, '.npmrc'), `//r.example/:_authToken=${SECRET}\n`);
  write(
    join(home, '.gitconfig'),
    `[user]\n\tname = A\n\temail = a@b.example\n[http "https://h"]\n\textraHeader = ${SECRET}\n`,
  );
  for (const name of words(WRITABLE)) write(join(home, name), ORIGINAL);
  write(join(data, 'sessions.db'), SECRET);
  const temporary = ['/tmp', '/var/tmp'].map((folder) => join(folder, `${own}-secret`));
  for (const path of temporary) write(path, SECRET);
  makeProject(project, write);
  makeMain(join(home, 'main'), worktree, write);
  for (const name of ['project', 'main', 'worktree']) {
    cpSync(join(home, name), join(base, 'templates', name), { recursive: true });
  }

  const abstract = `\0fucina-escape-${process.pid}`;
  const paths = [...words(SOCKETS).map((name) => join(base, name)), `/tmp/${own}.sock`, abstract];
  const servers = await Promise.all([...paths.map((path) => listen({ path })), listen({ port: 0, host: '::' })]);
  const port = (servers.at(-1)?.address() as { port: number } | undefined)?.port;
  const victim: ChildProcess = spawn('sleep', ['600'], { cwd: home, env: { HELD: SECRET }, stdio: 'ignore' });

  const guarded = (): Map<string, string> => contentsOf(base, base);
  const first = guarded();
  let before = first;
  let lastDamage: string[] = [];
  const damage = (): string[] => {
    const now = guarded();
    const changed = [...before].filter(
      ([path, text]) => now.get(path) !== text && (!isIn(project, path) || now.has(path)),
    );
    const added = [...now].filter(([path, text]) => !before.has(path) && !isHarmless(path, text)).map(([path]) => path);
    const lost = lostHistory(join(home, 'main'));
    lastDamage = [...changed.map(([path]) => path), ...added, ...lost].map((path) => path.slice(base.length + 1));
    return lastDamage;
  };
  let outside: Server | undefined;
  const reset = async (): Promise<void> => {
    restore(base);
    before = first;
    outside?.close();
    outside = await listen({ path: join(project, 'outside.sock') });
    for (const name of lastDamage.filter((one) => !one.startsWith('home/main/'))) {
      const text = first.get(join(base, name));
      if (text === undefined) rmSync(join(base, name), { recursive: true, force: true });
      else write(join(base, name), text);
    }
  };
  return {
    base,
    home,
    data,
    project,
    worktree,
    variables: {
      BASE: base,
      MAIN: join(home, 'main'),
      OWN: own,
      DATA: data,
      RUN: run,
      PORT: String(port),
      ...(await freePorts('MODEL', 'FREE')),
      LOW: '81',
      LAN: ownAddress(),
      VICTIM: String(victim.pid),
      ABSTRACT: abstract.slice(1),
    },
    reset,
    accept: () => (before = guarded()),
    damage,
    close() {
      victim.kill('SIGKILL');
      for (const server of servers) server.close();
      outside?.close();
      for (const path of temporary) rmSync(path, { force: true });
      for (const name of readdirSync(base)) rmSync(join(base, name), { recursive: true, force: true });
    },
  };
}

function makeProject(project: string, write: (path: string, text: string) => void): void {
  mkdirSync(project, { recursive: true });
  const git = (...args: string[]): void => void execFileSync('git', ['-C', project, ...args], { stdio: 'ignore' });
  git('init', '-q', '--template=');
  git('init', '-q', '--template=', 'packages/lib');
  git('config', 'core.hooksPath', 'scripts/hooks');
  for (const name of [
    '.git/hooks/post-commit',
    'scripts/hooks/pre-push',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    'packages/app/.vscode/tasks.json',
    'packages/lib/.git/hooks/post-commit',
  ])
    write(join(project, name), ORIGINAL);
  write(join(project, 'file.txt'), 'text\n');
  for (const name of ['denied.env', 'deep/denied.env']) write(join(project, name), `${SECRET}\n`);
}

/** Names the repository if an object of one of its branches is missing. */
function lostHistory(main: string): string[] {
  const { status } = spawnSync('git', ['-C', main, 'rev-list', '--objects', '--quiet', 'main', 'other', 'loose', 'v1']);
  return status === 0 ? [] : [`${main}/history`];
}

function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return all.find((one) => !one.internal && one.family === 'IPv4')?.address ?? '127.0.0.2';
}

/** The project, the repository and its worktree, as they were made. */
function restore(base: string): void {
  for (const name of ['project', 'main', 'worktree']) {
    const path = join(base, 'home', name);
    rmSync(path, { recursive: true, force: true });
    cpSync(join(base, 'templates', name), path, { recursive: true });
  }
}

/** A repository with objects in a pack and beside it, other branches, a tag, and a linked worktree. */
function makeMain(main: string, worktree: string, write: (path: string, text: string) => void): void {
  mkdirSync(main, { recursive: true });
  const git = (...args: string[]): void => void execFileSync('git', ['-C', main, ...args], { stdio: 'ignore' });
  git('init', '-q', '--template=', '-b', 'main');
  git('config', 'user.name', 'A');
  git('config', 'user.email', 'a@b.example');
  for (const name of ['first', 'second']) {
    write(join(main, name), `${name}\n`);
    git('add', '-A');
    git('commit', '-qm', name);
    if (name === 'first') git('gc', '-q');
  }
  git('tag', 'v1');
  git('branch', 'other');
  git('pack-refs');
  git('branch', 'loose');
  git('worktree', 'add', '-q', '-b', 'side', worktree);
}

/** A file that moved with its folder, and harmless settings of a new repository. */
const isHarmless = (path: string, text: string): boolean =>
  text === ORIGINAL ||
  /\/main\/\.git\/(objects\/|refs\/heads\/side)/.test(path) ||
  (path.endsWith('/.git/config') && !text.includes('evil'));

const isIn = (folder: string, path: string): boolean => path.startsWith(`${folder}/`);

/** A link of such a name counts, too. */
const FOLDERS =
  /(^|\/)(\.svc|\.vscode|\.idea|\.github|\.husky|\.claude|\.devcontainer|scripts\/hooks|\.forgejo|\.gitea|\.mise|\.opencode|\.kiro|\.qwen|\.continue|\.goose|\.cline|\.helix|\.yarn\/sdks)(\/|$)/i;
const FILES =
  /(^|\/)(\.envrc|\.mcp\.json|\.woodpecker\.yaml|\.drone\.star|azure-pipelines\.yaml|\.hg\/hgrc|mise\.toml|opencode\.json|\.aider\.conf\.yml|[^/]+\.sublime-project|\.nvim\.lua|\.exrc|\.pnp\.cjs|\.devcontainer\.json|lint-staged\.config\.mjs|lefthook-local\.toml)$/i;

/** In the project: what runs later. Around it: everything. */
function isGuarded(path: string, base: string): boolean {
  const project = join(base, 'home/project');
  // The branch of the worktree is the attacker's own.
  // Objects that are no packs yet become one: see `lostHistory`.
  if (/\/main\/\.git\/objects\/[0-9a-f]{2}\//.test(path)) return false;
  if (path.endsWith('/main/.git/refs/heads/side') || path.includes('/main/.git/logs/refs/heads/')) return false;
  if (!isIn(project, path)) return true;
  const inside = path.slice(project.length + 1);
  return (
    /(^|\/)\.git\/(hooks\/|config(\.worktree)?$|commondir$|modules\/.*hooks\/)|(^|\/)\.git$/.test(inside) ||
    FOLDERS.test(inside) ||
    FILES.test(inside)
  );
}

/** What the fixture and the sandbox themselves write. */
const UNGUARDED = ['templates', 'data/tmp', 'data/sandbox', 'run', 'home/worktree', 'home/main/.git/worktrees'];

/** The guarded files of `folder`, which is in `base`. */
function contentsOf(folder: string, base: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of unlessGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (UNGUARDED.includes(path.slice(base.length + 1))) continue;
      for (const [inner, text] of contentsOf(path, base)) found.set(inner, text);
    } else if (!entry.isSocket() && isGuarded(path, base)) {
      const text = entry.isFile() ? unlessGone(() => readFileSync(path, 'latin1')) : 'link';
      if (text !== undefined) found.set(path, text);
    }
  }
  return found;
}

/** A script in the background may rename what was listed. */
function unlessGone<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EISDIR') throw error;
    return undefined;
  }
}

function listen(place: { path: string } | { port: number; host: string }): Promise<Server> {
  if ('path' in place && !place.path.startsWith('\0')) mkdirSync(dirname(place.path), { recursive: true });
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(`${SECRET}\n`);
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(place, () => resolve(server)));
}

async function freePorts(...names: string[]): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, String(await freePort())])));
}
