import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Host } from '@fucina/host';
import { createOutboundHttp, type ErrorCode, type SessionEvent, systemAmbient } from '@fucina/shared';
import { sqliteDriver } from '@fucina/shared/testing';
import {
  createModelServer,
  type ModelServer,
  type Script,
  sampleProject,
  type TempDir,
  type TempRepo,
  tempDir,
} from '@fucina/testkit';
import type { StartOptions } from '../src/server.ts';
import type { Settings } from '../src/settings.ts';
import { startServer } from './built-server.ts';
import { undescribed } from './event-schema.ts';
import { homeboundLookup } from './homebound-lookup.mjs';
import { startApart } from './server-process.ts';

export const TOKEN = 'test-token-0123456789-0123456789-0123456789';
export const LAUNCHER_TOKEN = 'test-launcher-0123456789-0123456789-0123456789';
export const SHUTDOWN_TOKEN = 'test-shutdown-0123456789-0123456789-0123456789';

export interface Reply<Data = any> {
  status: number;
  headers: Headers;
  ok: boolean;
  data: Data;
  code: string | undefined;
  reason: string | undefined;
  error: Record<string, string> | undefined;
  text: string;
}

export interface CallOptions {
  query?: Record<string, string>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sends no cookie. */
  isAnonymous?: boolean;
}

/** A real server on a free port with a fresh data folder, and a scripted model behind the provider `ollama`. */
export interface TestServer {
  url: string;
  port: number;
  dataDir: string;
  host: Host;
  shutdownAsked: Promise<void>;
  model: ModelServer;
  project: TempRepo;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** Starts a session on the sample project; returns its id. */
  startSession(fields?: Record<string, unknown>): Promise<string>;
  /** Waits until the session's turn has ended; returns its row. */
  settled(sessionId: string): Promise<any>;
  pending(sessionId: string): Promise<{ requestId: string; azione: Record<string, unknown> }>;
  events(sessionId: string): Promise<SessionEvent[]>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestServerOptions
  extends Partial<
    Pick<StartOptions, 'windowFolder' | 'http' | 'templatesDir' | 'helpDir' | 'codeHostBuild' | 'engineLibrary'>
  > {
  script?: Script;
  settings?: Partial<Settings>;
  dataDir?: string;
  /**
   * In a separate process, for suites that start many programs and need neither `host` nor their own outbound HTTP.
   */
  isApart?: boolean;
}

/** Undeclared codes that an operation returned; the run fails when there are any. */
const undeclared: string[] = [];
/** What events contained beyond their schema; the run fails when there is any. */
const undescribedEvents = new Set<string>();

function reportUndescribed(event: unknown): void {
  for (const fault of undescribed(event)) undescribedEvents.add(fault);
}

export async function testServer(options: TestServerOptions = {}): Promise<TestServer> {
  const own = await tempDir();
  const dataDir = options.dataDir ?? own.path;
  const project = await sampleProject();
  const model = await createModelServer({ script: options.script ?? (() => ({ text: 'Hello.' })) });
  const ambient = systemAmbient('silent');
  const homebound = createOutboundHttp({ ambient, lookup: homeboundLookup });
  const { windowFolder, templatesDir, helpDir, codeHostBuild, engineLibrary, http = homebound } = options;
  const common = { settings: settingsFor(dataDir, options.settings), windowFolder, templatesDir, helpDir };
  const server = options.isApart
    ? await startApart(common, (text) => void undeclared.push(text))
    : await startServer({
        ...common,
        ambient,
        http,
        codeHostBuild,
        engineLibrary,
        onUndeclared: (operation, code: ErrorCode) => void undeclared.push(`${operation}: ${code}`),
      });
  const call = caller(server.url);
  const rows = shared(async () => (await call('GET', '/sessions')).data.items as any[]);
  await call('POST', '/providers/ollama/runtime', { body: { endpoint: model.url, timeoutSeconds: 30 } });
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await server.close();
  };

  return {
    url: server.url,
    port: server.port,
    dataDir,
    host: server.host,
    shutdownAsked: server.shutdownAsked,
    model,
    project,
    call,
    stop,
    async startSession(fields = {}) {
      const body = {
        cartellaLibera: project.path,
        consegna: 'Fix the failing test.',
        modello: 'ollama:tiny',
        ...fields,
      };
      const reply = await call('POST', '/sessions/custom', { body });
      if (!reply.ok) throw new Error(`no session: ${reply.text}`);
      return reply.data.sessionId;
    },
    settled: (sessionId) =>
      until(async () => {
        const row = (await rows()).find((item) => item.sessionId === sessionId);
        return row.conclusa || row.interrotta ? row : undefined;
      }),
    pending: (sessionId) =>
      until(async () => (await call('GET', `/sessions/${sessionId}/pending`)).data.pending ?? undefined),
    events: async (sessionId) => {
      const { eventi } = (await call('GET', `/sessions/${sessionId}/export`)).data;
      for (const event of eventi) reportUndescribed(event);
      return eventi;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await homebound[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
      await project[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
      if (undeclared.length) throw new Error(`undeclared codes: ${undeclared.join(', ')}`);
      if (undescribedEvents.size) throw new Error(`undescribed events: ${[...undescribedEvents].join(', ')}`);
    },
  };
}

/** A server that cannot open its provider store. */
export async function serverWithDamagedProviders(): Promise<TestServer> {
  const damaged = await tempDir();
  await damaged.write({ 'providers.db': 'not a database, and long enough to be read as one. '.repeat(100) });
  const server = await testServer({ dataDir: damaged.path });
  return {
    ...server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await damaged[Symbol.asyncDispose]();
    },
  };
}

/** Folders around a project: `alpha` is the project, `outside` is next to it. */
export async function projectPlace(more: Parameters<TempDir['write']>[0] = {}): Promise<TempDir> {
  const place = await tempDir();
  await place.write({
    'alpha/src/a.ts': 'a',
    'alpha/README.md': '# Alpha\n',
    'alpha/.hidden': '',
    'outside/secret.txt': 'secret',
    ...more,
  });
  return place;
}

export function settingsFor(dataDir: string, settings: Partial<Settings> = {}): Settings {
  return {
    host: '127.0.0.1',
    port: 0,
    isPortExact: false,
    savesToken: false,
    token: TOKEN,
    shutdownToken: SHUTDOWN_TOKEN,
    launcherToken: LAUNCHER_TOKEN,
    mcpToken: undefined,
    dataDir,
    projects: [],
    model: undefined,
    keyStore: 'memory',
    publicCatalog: false,
    bodyLimit: 10_485_760,
    workflowSteps: undefined,
    // Seven seconds of waits instead of minutes.
    modelTries: 4,
    dialects: undefined,
    log: 'silent',
    // Its own home: a login shell would run the profile of the user who runs the tests.
    environment: { ...process.env, HOME: dataDir },
    ...settings,
  };
}

export type Call = TestServer['call'];

export function caller(url: string): Call {
  return async (method, path, { query, body, headers = {}, isAnonymous } = {}) => {
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const content = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const {
      status,
      headers: answered,
      text,
    } = await exchange(new URL(`${url}api/v1${path}${search}`), {
      method,
      content,
      headers: {
        ...LIKE_FETCH,
        ...(!isAnonymous && { cookie: `svc_token=${TOKEN}` }),
        ...(content !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    });
    const answer = text.startsWith('{') ? JSON.parse(text) : {};
    return {
      status,
      headers: answered,
      ok: answer.ok === true,
      data: answer.data,
      code: answer.error?.code,
      reason: answer.error?.reason,
      error: answer.error,
      text,
    };
  };
}

/** Headers that Node's `fetch` sends with every request. */
const LIKE_FETCH = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };

/**
 * Each request on its own connection: a kept one may be closed at the moment of its reuse. Not with `fetch`, which
 * creates an error with a stack trace for every connection that the server closes: a third of the cost of a request.
 */
function exchange(
  url: URL,
  { method, headers, content }: { method: string; headers: Record<string, string>; content: string | undefined },
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const length = content === undefined ? undefined : { 'content-length': String(Buffer.byteLength(content)) };
    const asked = request(url, { method, agent: false, headers: { ...headers, ...length } }, async (answer) => {
      try {
        const bytes = await buffer(answer);
        const pairs = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        );
        // Without a byte order mark, as in `Response.text()`.
        resolve({ status: answer.statusCode ?? 0, headers: new Headers(pairs), text: new TextDecoder().decode(bytes) });
      } catch (error) {
        reject(error);
      }
    });
    asked.on('error', reject);
    asked.end(content);
  });
}

export async function rowOf(call: Call, sessionId: string): Promise<any> {
  const { data } = await call('GET', '/sessions');
  return data.items.find((item: { sessionId: string }) => item.sessionId === sessionId);
}

/** A session whose turn runs in another process on the same data folder, like that of the command line. */
export async function busySession(
  server: TestServer,
): Promise<{ sessionId: string; [Symbol.asyncDispose](): Promise<void> }> {
  const { createHost } = await import('@fucina/host');
  const settings = settingsFor(server.dataDir, {});
  const host = await createHost({ ...settings, ambient: systemAmbient('silent'), version: 'test', background: false });
  server.model.script(() => ({ fault: { kind: 'hang' } }));
  const request = { folder: server.project.path, message: 'Wait.', model: 'ollama:tiny' };
  const { sessionId } = await host.services.startSession(request);
  return {
    sessionId,
    async [Symbol.asyncDispose]() {
      await host.close();
      server.model.script(() => ({ text: 'Hello.' }));
    },
  };
}

/** Calls during a request share the next one: a list is read once for all that wait for one of its rows. */
function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<Value> | undefined;
  return () => {
    next ??= current.then(() => {
      next = undefined;
      const reading = read();
      current = reading.catch(() => undefined);
      return reading;
    });
    return next;
  };
}

const FIRST_PAUSE_MS = 2;
const LAST_PAUSE_MS = 40;

/** Polls, at increasing intervals, until there is a result. */
export async function until<Value>(look: () => Promise<Value | undefined>): Promise<Value> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LAST_PAUSE_MS)) {
    const value = await look();
    if (value !== undefined) return value;
    // The server is often in this process, and needs the CPU more than the poller.
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Reads a stream of events until `isDone` returns true; returns the events, with ids. */
export async function readStream(
  server: Pick<TestServer, 'url'>,
  sessionId: string,
  options: { after?: number; isDone(event: SessionEvent, id: number | undefined): boolean },
): Promise<{ id: number | undefined; event: SessionEvent }[]> {
  const response = await fetch(`${server.url}api/v1/sessions/${sessionId}/events`, {
    headers: {
      cookie: `svc_token=${TOKEN}`,
      ...(options.after !== undefined && { 'last-event-id': String(options.after) }),
    },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  const seen: { id: number | undefined; event: SessionEvent }[] = [];
  let buffer = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return seen;
    buffer += decoder.decode(value, { stream: true });
    const frames = buffer.split('\n\n');
    buffer = frames.pop() ?? '';
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1];
      if (!data) continue;
      const digits = /^id: (\d+)$/m.exec(frame)?.[1];
      const id = digits === undefined ? undefined : Number(digits);
      const event = JSON.parse(data) as SessionEvent;
      reportUndescribed(event);
      seen.push({ id, event });
      if (!options.isDone(event, id)) continue;
      await reader.cancel();
      return seen;
    }
  }
}

/** Makes the store fail from outside, as a failing disk would. */
export async function breakStore(dataDir: string, sql: string): Promise<void> {
  const db = new (sqliteDriver())(`${dataDir}/sessions.db`);
  db.exec(sql);
  db.close();
}
