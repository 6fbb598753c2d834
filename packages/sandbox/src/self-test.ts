import { access, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { type Ambient, type Environment, homeOf, runProcess } from '@fucina/shared';
import type { NetworkVerdict } from './network/network-rules.ts';
import type { NetworkSession } from './network/session-network.ts';
import type { NetworkTarget } from './permission-rules/host-pattern.ts';
import type { NetworkMode } from './rules/rule-store.ts';
import type { Sandbox } from './sandbox.ts';
import {
  hasHistory,
  linkedFolder,
  makeLinkedFolder,
  makeRepository,
  sharedIn,
  worktreeIn,
} from './self-test-repositories.ts';

/** The session id of its commands, for which nobody is asked. */
export const SELF_TEST_SESSION = 'sandbox-self-test';

export const SELF_TEST_ATTEMPTS = [
  'write-inside',
  'write-outside',
  'read-outside',
  'read-keys',
  'change-git-hook',
  'make-control-file',
  'see-socket',
  'reach-own-port',
  'reach-private-address',
  'reach-unknown-host',
  'make-namespace',
  'follow-link',
  'use-descriptor',
  'delete-shared-objects',
  'read-denied-file',
] as const;

export type SelfTestAttempt = (typeof SELF_TEST_ATTEMPTS)[number];

export interface SelfTestResult {
  id: SelfTestAttempt;
  expected: 'blocked' | 'allowed';
  /** `skipped`: not testable on this computer, or allowed by a setting of the user. */
  outcome: 'blocked' | 'allowed' | 'skipped';
  durationMs: number;
}

export interface SelfTestReport {
  /** False without a working sandbox: nothing was tested. */
  isSandboxed: boolean;
  results: readonly SelfTestResult[];
}

export interface SelfTestNeeds {
  ambient: Ambient;
  environment: Environment;
  dataDir: string;
  sandbox: Pick<Sandbox, 'state' | 'contain' | 'forget'>;
  /** Ports of this server. */
  ownPorts(): readonly number[];
  /** The network setting of its commands. */
  mode(session: NetworkSession): NetworkMode;
  /** The effect of the user's rules on a host, if any. */
  rule?(target: NetworkTarget, folder: string): Promise<NetworkVerdict | undefined>;
}

const ATTEMPT_MS = 10_000;
const DENIED = 'denied.txt';

interface Place {
  /** Everything of this test. */
  own: string;
  folder: string;
  outside: string;
  socket: string;
  environment: Environment;
  /** Port of this server; else one that listens during the test. */
  port: number;
  home: string;
}

interface Attempt {
  expected: SelfTestResult['expected'];
  /** Prints `done` on success. */
  script: string;
  /** When the output is not enough: whether it succeeded, by the files on disk afterwards. */
  succeeded?(place: Place): Promise<boolean>;
  /** Where it runs; default: the test's project. */
  folder?(place: Place): string;
  /** Opened for the program's start. */
  files?(place: Place): readonly string[];
  /** False: not testable here. */
  applies?(needs: SelfTestNeeds, place: Place): Promise<boolean>;
}

/** Requests a connection to a host from the session's proxy; `done` if it is not refused. */
const through = (target: string): string => `
  proxy=\${HTTPS_PROXY#http://}; proxy=\${proxy%/}
  exec 3<>"/dev/tcp/\${proxy%:*}/\${proxy##*:}" || exit
  printf 'CONNECT %s HTTP/1.1\\r\\nHost: %s\\r\\n\\r\\n' "${target}" "${target}" >&3
  read -r -t 8 -u 3 line; case "$line" in *' 403'*|'') ;; *) echo "done" ;; esac`;

/** Nothing responds at either of them. */
const PRIVATE = { host: '10.255.255.1', port: 80 };
const UNKNOWN = { host: 'fucina-self-test.invalid', port: 443 };

const ATTEMPTS: Readonly<Record<SelfTestAttempt, Attempt>> = {
  'write-inside': { expected: 'allowed', script: 'echo x > written.txt && echo "done"' },
  'write-outside': {
    expected: 'blocked',
    script: 'echo changed > "$OUTSIDE"',
    succeeded: async ({ outside }) => (await readFile(outside, 'utf8')) !== 'original\n',
  },
  'read-outside': { expected: 'blocked', script: 'cat "$OUTSIDE" && echo "done"' },
  'read-keys': {
    expected: 'blocked',
    script: 'ls -A "$HOME_FOLDER/.ssh" && echo "done"',
    applies: (_needs, { home }) => exists(join(home, '.ssh')),
  },
  'change-git-hook': {
    expected: 'blocked',
    script: 'echo changed >> .git/hooks/pre-commit; mv .git/hooks .git/old',
    succeeded: async ({ folder }) => (await textOf(join(folder, '.git/hooks/pre-commit'))) !== 'original\n',
  },
  'make-control-file': {
    expected: 'blocked',
    script: 'echo changed > .envrc',
    succeeded: ({ folder }) => exists(join(folder, '.envrc')),
  },
  'see-socket': { expected: 'blocked', script: '[ -e "$SOCKET" ] && echo "done"' },
  'reach-own-port': {
    expected: 'blocked',
    script: `(exec 4<>"/dev/tcp/127.0.0.1/$OWN_PORT") 2>/dev/null && echo "done"; ${through('127.0.0.1:$OWN_PORT')}`,
  },
  'reach-private-address': {
    expected: 'blocked',
    script: through(`${PRIVATE.host}:${PRIVATE.port}`),
    applies: async (needs, { folder }) => !(await needs.rule?.(PRIVATE, folder))?.opensPrivate,
  },
  'reach-unknown-host': {
    expected: 'blocked',
    script: through(`${UNKNOWN.host}:${UNKNOWN.port}`),
    applies: async ({ mode, rule }, { folder }) =>
      mode({ sessionId: SELF_TEST_SESSION, folder }) !== 'open' && (await rule?.(UNKNOWN, folder))?.verdict !== 'allow',
  },
  'make-namespace': {
    expected: 'blocked',
    script: 'command -v unshare >/dev/null && unshare --user --map-root-user true && echo "done"',
  },
  'follow-link': {
    expected: 'blocked',
    script: 'cat fake/objects/outside.txt "$OUTSIDE" && echo "done"',
    folder: ({ own }) => linkedFolder(own),
  },
  'use-descriptor': {
    expected: 'blocked',
    script: 'for one in /proc/self/fd/*; do cat "$one/outside.txt" && echo "done"; done',
    files: ({ own }) => [own],
  },
  'delete-shared-objects': {
    expected: 'blocked',
    script: 'chmod -R u+w "$SHARED/objects"; rm -rf "$SHARED"/objects/*',
    folder: ({ own }) => worktreeIn(own),
    succeeded: async ({ own }) => !(await hasHistory(own)),
    applies: ({ ambient, environment }, { own }) => makeRepository({ ambient, environment }, own),
  },
  'read-denied-file': { expected: 'blocked', script: 'grep original denied.txt && echo "done"' },
};

/** Tests in a real sandboxed command what the sandbox must block, and one thing that it must allow. */
export async function runSelfTest(needs: SelfTestNeeds): Promise<SelfTestReport> {
  const { sandbox, dataDir, environment, ownPorts } = needs;
  if (!(await sandbox.state()).isWorking) return { isSandboxed: false, results: [] };
  const root = join(dataDir, 'tmp');
  await mkdir(root, { recursive: true, mode: 0o700 });
  const own = await mkdtemp(join(root, 'self-test-'));
  const [folder, outside, socket] = [join(own, 'project'), join(own, 'outside.txt'), join(own, 'agent.sock')];
  const servers: Server[] = [];
  try {
    await mkdir(join(folder, '.git', 'hooks'), { recursive: true });
    await writeFile(join(folder, '.git', 'hooks', 'pre-commit'), 'original\n');
    await writeFile(outside, 'original\n');
    await writeFile(join(folder, DENIED), 'original\n');
    await makeLinkedFolder(own);
    servers.push(await listen(socket));
    const port = ownPorts()[0] ?? (await listenOnPort(servers));
    const place = { own, folder, outside, socket, port, environment, home: homeOf(environment) };
    const results: SelfTestResult[] = [];
    for (const id of SELF_TEST_ATTEMPTS) results.push(await attempt(needs, place, id));
    return { isSandboxed: true, results };
  } finally {
    for (const server of servers) server.close();
    await sandbox.forget(SELF_TEST_SESSION);
    await rm(own, { recursive: true, force: true });
  }
}

async function attempt(needs: SelfTestNeeds, place: Place, id: SelfTestAttempt): Promise<SelfTestResult> {
  const { ambient, environment, sandbox } = needs;
  const { expected, script, succeeded, applies, files } = ATTEMPTS[id];
  const startedAt = ambient.monotonic();
  const answer = (outcome: SelfTestResult['outcome']): SelfTestResult => {
    return { id, expected, outcome, durationMs: Math.round(ambient.monotonic() - startedAt) };
  };
  if (applies && !(await applies(needs, place))) return answer('skipped');
  const { own, outside, socket, port, home } = place;
  const folder = ATTEMPTS[id].folder?.(place) ?? place.folder;
  const { settle, extraEnvironment, ...contained } = await sandbox.contain({
    argv: ['/bin/bash', '--noprofile', '--norc', '-c', script],
    sessionId: SELF_TEST_SESSION,
    folder,
    cwd: folder,
    writes: 'folder',
    test: { denied: { key: DENIED, isDenied: (path) => path === join(folder, DENIED) }, folder: own },
  });
  const facts = { OUTSIDE: outside, SOCKET: socket, OWN_PORT: String(port), HOME_FOLDER: home, SHARED: sharedIn(own) };
  const outcome = await runProcess({
    ...contained,
    files: [...contained.files, ...(files?.(place) ?? [])],
    ambient,
    environment,
    extraEnvironment: { ...extraEnvironment, ...facts },
    timeoutMs: ATTEMPT_MS,
  });
  await settle();
  const isDone = succeeded ? await succeeded(place) : outcome.stdout.bytes.toString().includes('done');
  return answer(isDone ? 'allowed' : 'blocked');
}

async function listen(path: string): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ path }, resolve));
  return server;
}

async function listenOnPort(servers: Server[]): Promise<number> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) =>
    server.once('error', reject).listen({ port: 0, host: '127.0.0.1' }, resolve),
  );
  servers.push(server);
  return (server.address() as { port: number }).port;
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');
