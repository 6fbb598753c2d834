import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shellIn, type TempDir, type TempRepo, tempDir, tempRepo } from '@fucina/testkit';
import { type Reply, type TestServer, testServer } from './harness.ts';

/** A server, and sessions on repositories, one per test. */
export interface GitServer extends TestServer {
  /** A fresh repository with a session on it, or on a subfolder. */
  fixture(files?: Record<string, string>, folder?: string): Promise<GitFixture>;
}

export interface GitFixture extends TempRepo {
  sessionId: string;
  get(path: string, query?: Record<string, string>): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  state(): Promise<any>;
  /** Everything that an operation could have changed: HEAD, index, files, stashes, branches. */
  snapshot(): Promise<string>;
}

export async function gitServer(options: Parameters<typeof testServer>[0] = {}): Promise<GitServer> {
  const server = await testServer({ ...options, isApart: !options.http && !options.codeHostBuild });
  const made: TempRepo[] = [];
  return {
    ...server,
    async fixture(files = { 'a.txt': 'one\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n' }, folder = '') {
      const repo = await tempRepo(files);
      made.push(repo);
      const sessionId = await server.startSession({ cartellaLibera: join(repo.path, folder) });
      await server.settled(sessionId);
      return { ...repo, ...askingOf(server, sessionId), snapshot: () => snapshotOf(repo) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      for (const repo of made) await repo[Symbol.asyncDispose]();
    },
  };
}

export function askingOf(
  server: TestServer,
  sessionId: string,
): Pick<GitFixture, 'sessionId' | 'get' | 'post' | 'state'> {
  const at = (path: string): string =>
    path.startsWith('ext/')
      ? `/ext/sessions/${sessionId}/${path.slice('ext/'.length)}`
      : `/sessions/${sessionId}/${path}`;
  return {
    sessionId,
    get: (path, query) => server.call('GET', at(path), query && { query }),
    post: (path, body) => server.call('POST', at(path), body === undefined ? {} : { body }),
    state: async () => (await server.call('GET', at('git/status'))).data,
  };
}

/** In one shell: starting a process takes longer than git itself. */
function snapshotOf(repo: TempRepo): Promise<string> {
  const commands = [
    'status --porcelain=v2 --branch --untracked-files=all',
    'ls-files -s',
    'diff --no-ext-diff',
    'stash list',
    'for-each-ref',
  ];
  return shellIn(repo.path)(commands.map((command) => `git ${command} 2>&1 || echo "exit $?"`).join('\n'));
}

/** Two branches that change the same line, merged. */
export async function conflicted(repo: GitFixture): Promise<GitFixture> {
  await repo.git('checkout', '-q', '-b', 'other');
  await repo.write({ 'a.txt': 'two\n' });
  await repo.git('commit', '-qam', 'two');
  await repo.git('checkout', '-q', 'main');
  await repo.write({ 'a.txt': 'three\n' });
  await repo.git('commit', '-qam', 'three');
  await repo.git('merge', 'other').catch(() => undefined);
  return repo;
}

/** The code of an error that changed nothing. */
export async function refusedAsIs(repo: GitFixture, path: string, body: unknown): Promise<string | undefined> {
  const before = await repo.snapshot();
  const { code } = await repo.post(path, body);
  if ((await repo.snapshot()) !== before) throw new Error(`${path} was refused and changed something`);
  return code;
}

/** A program named git that fails as configured, or runs the real one. */
export async function faultyGit(): Promise<TempDir & { fail(mode: 'no' | 'exit' | 'hang' | 'loud'): Promise<void> }> {
  const folder = await tempDir();
  const real = process.env.PATH ?? '';
  const mode = join(folder.path, 'mode');
  const lines = [
    '#!/bin/sh',
    `PATH='${real}'`,
    `case "$(cat '${mode}')" in exit) exit 128;; hang) exec sleep 600;; loud) exec yes;; esac`,
    'exec git "$@"',
  ];
  await writeFile(join(folder.path, 'git'), `${lines.join('\n')}\n`);
  await chmod(join(folder.path, 'git'), 0o755);
  const fail = (name: string): Promise<void> => writeFile(mode, name);
  await fail('no');
  return Object.assign(folder, { fail });
}
