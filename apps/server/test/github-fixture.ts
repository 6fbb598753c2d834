import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { describe } from '@jest/globals';
import { type GitFixture, type GitServer, gitServer } from './git-fixture.ts';
import type { Reply } from './harness.ts';

const OPENSSL = '/usr/bin/openssl';
const GH = spawnSync('sh', ['-c', 'command -v gh']).stdout.toString().trim();
const hasTools = (GH !== '' && existsSync(OPENSSL)) || process.env.FUCINA_TEST_REQUIRE === '1';
if (!hasTools) process.stderr.write('code host tests skipped: no gh, or no openssl\n');

/** Tests that need gh. */
export const withGh = hasTools ? describe : describe.skip;

/** A secret that must never appear in any output. */
export const HOST_TOKEN = `gho_${'S3cretS3cret'.repeat(3)}`;

export interface HostRequest {
  host: string;
  method: string;
  path: string;
  token: string | undefined;
  body: any;
}

export type HostAnswer = { status?: number; body: unknown; headers?: Record<string, string> };

/** Our server, with a user's home, the real gh and, instead of the network, a simulated code host on this machine. */
export interface GithubFixture extends AsyncDisposable {
  server: GitServer;
  home: TempDir;
  requests: HostRequest[];
  /** Responses of the simulated code host's pages and API; set by each test. */
  answer: {
    graphql?(body: any): HostAnswer;
    rest?(request: HostRequest): HostAnswer;
    device?(path: string): HostAnswer;
  };
  /** How gh behaves; `no` is unmodified. */
  fail(mode: 'no' | 'old' | 'exit' | 'hang' | 'loud' | 'garbage' | 'silent' | 'unstartable'): Promise<void>;
  /** All arguments and variables of each start. */
  started(): Promise<string>;
  signIn(): Promise<void>;
  signOut(): Promise<void>;
}

export async function githubFixture(options: Parameters<typeof gitServer>[0] = {}): Promise<GithubFixture> {
  const place = await tempDir();
  const home = await tempDir();
  const fixture: Pick<GithubFixture, 'requests' | 'answer'> = { requests: [], answer: {} };
  const host = await codeHost(place.path, fixture);
  const gh = await program(place.path);
  const server = await gitServer({
    ...options,
    settings: {
      environment: {
        ...process.env,
        HOME: home.path,
        XDG_CONFIG_HOME: undefined,
        GH_TOKEN: undefined,
        FUCINA_GH: gh,
        HTTPS_PROXY: host.url,
        SSL_CERT_FILE: join(place.path, 'cert.pem'),
      },
    },
  });
  const fail: GithubFixture['fail'] = async (mode) => {
    await writeFile(join(place.path, 'mode'), mode);
    await chmod(gh, mode === 'unstartable' ? 0o644 : 0o755);
  };
  await fail('no');
  const hosts = join(home.path, '.config/gh/hosts.yml');
  return {
    ...fixture,
    server,
    home,
    fail,
    started: () => readFile(join(place.path, 'started'), 'utf8'),
    async signIn() {
      await mkdir(join(home.path, '.config/gh'), { recursive: true });
      await writeFile(hosts, `github.com:\n    oauth_token: ${HOST_TOKEN}\n    user: me\n    git_protocol: https\n`);
    },
    signOut: () => writeFile(hosts, ''),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
      for (const dir of [place, home]) await dir[Symbol.asyncDispose]();
    },
  };
}

/** The real gh with a newer version number; it can be made to fail. */
async function program(folder: string): Promise<string> {
  const path = join(folder, 'gh');
  const lines = [
    '#!/bin/sh',
    `{ printf '%s\\n' "$@"; env; } >>'${folder}/started'`,
    `mode=$(cat '${folder}/mode')`,
    'case "$mode $1" in',
    '"old --version") echo "gh version 2.96.9 (2026-01-01)"; exit 0;;',
    '"garbage --version") echo "something else"; exit 0;;',
    '"loud --version") exec yes;;',
    '"hang --version") exec sleep 600;;',
    '"exit --version") exit 3;;',
    '*" --version") echo "gh version 2.101.0 (2026-01-01)"; exit 0;;',
    '"silent auth") exit 0;;',
    'esac',
    `exec '${GH}' "$@"`,
  ];
  await writeFile(path, `${lines.join('\n')}\n`);
  await chmod(path, 0o755);
  return path;
}

/** A proxy for github.com and api.github.com on this machine. */
async function codeHost(
  folder: string,
  fixture: Pick<GithubFixture, 'requests' | 'answer'>,
): Promise<{ url: string } & AsyncDisposable> {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = 'subjectAltName=DNS:github.com,DNS:api.github.com';
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const made = spawnSync(OPENSSL, [
    ...request,
    '-subj',
    '/CN=github.com',
    '-addext',
    names,
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  if (made.status !== 0) throw new Error(made.stderr.toString());
  const web = createHttps(
    { key: readFileSync(key), cert: readFileSync(cert) },
    (incoming, response) => void answer(incoming, response, fixture),
  );
  const proxy = createHttp();
  const sockets = new Set<Socket>();
  proxy.on('connect', (_request, socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    web.emit('connection', socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { requests, answer: answers }: Pick<GithubFixture, 'requests' | 'answer'>,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = String(incoming.headers['content-type']).includes('json');
  const request: HostRequest = {
    host: incoming.headers.host ?? '',
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    token: incoming.headers.authorization,
    body: isJson && text !== '' ? JSON.parse(text) : text,
  };
  requests.push(request);
  const { status = 200, body, headers } = answerTo(request, answers);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'x-oauth-scopes': 'repo, read:org, gist',
    ...headers,
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function answerTo(request: HostRequest, answers: GithubFixture['answer']): HostAnswer {
  const { host, path, token, body } = request;
  if (host === 'github.com') return answers.device?.(path) ?? { status: 404, body: {} };
  if (!token?.includes(HOST_TOKEN)) return { status: 401, body: { message: 'Bad credentials' } };
  if (path === '/') return { body: {} };
  if (path !== '/graphql') return answers.rest?.(request) ?? { status: 404, body: { message: 'Not Found' } };
  if (/UserCurrent/.test(String(body.query))) return { body: { data: { viewer: { login: 'me' } } } };
  return answers.graphql?.(body) ?? { status: 500, body: { message: 'nothing set' } };
}

/** A branch with two commits of its own, pushed to a repository on the code host. */
export async function hostedRepo({ server }: GithubFixture): Promise<GitFixture> {
  const repo = await server.fixture();
  await repo.git('remote', 'add', 'origin', 'https://x:y@github.com/me/sample.git');
  await repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  await repo.git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  await repo.git('checkout', '-q', '-b', 'feature/weld-seam');
  for (const name of ['first', 'second']) await repo.git('commit', '-q', '--allow-empty', '-m', `The ${name}\n\nwhy`);
  await repo.git('update-ref', 'refs/remotes/origin/feature/weld-seam', 'HEAD~1');
  return repo;
}

export const CREATE = { titolo: 'Weld', testo: 'Body', base: 'main' };
export interface HostCalls {
  github(method: 'GET' | 'POST', path: string): Promise<Reply>;
  /** Every operation that uses gh, on a repository of the code host. */
  calls: Record<string, (repo: Pick<GitFixture, 'get' | 'post'>) => Promise<Reply>>;
}

export function hostCalls({ server }: GithubFixture): HostCalls {
  const github: HostCalls['github'] = (method, path) => server.call(method, `/github/${path}`);
  return {
    github,
    calls: {
      'github.status': () => github('GET', 'status'),
      'github.login': () => github('POST', 'login'),
      'github.pulls': ({ get }) => get('github/pulls'),
      'github.pull-create': ({ post }) => post('github/pulls', CREATE),
      'github.pull-draft': ({ get }) => get('github/pull-draft'),
      'github.checks': ({ get }) => get('github/pulls/7/checks'),
    },
  };
}
