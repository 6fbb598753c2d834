import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundHttp, systemAmbient } from '@fucina/shared';
import { redirectOrigins, type Script } from '@fucina/testkit';
import { type TestServer, type TestServerOptions, testServer, until } from './harness.ts';

const ORIGIN = 'https://forge.example';
const PAGES: Record<string, string> = {
  '/oil': 'Steel is quenched in oil so that it cools slowly and does not crack.',
  '/water': 'Water cools steel fast, and thin blades crack in it.',
  '/heat': 'Carbon steel is heated to about 820 degrees before it is quenched.',
};

/** A small simulated web, a search source and a model; each can be changed by a test. */
export interface ResearchFixture extends AsyncDisposable {
  server: TestServer;
  /** The conversation that starts research. */
  session: string;
  pages: Record<string, string>;
  /** Addresses of requested pages. */
  asked: string[];
  queries: string[];
  /** Recognized by the start of its system prompt. */
  answers: Record<'plan' | 'write' | 'check', (prompt: string) => string>;
  /** Held requests of one kind wait until `go` is called. */
  hold(kind: 'plan' | 'write' | 'check'): { go(): void };
  start(question?: string, depth?: string): Promise<string>;
  ended(id: string): Promise<any>;
  read(id: string): Promise<any>;
  /** Kills the server, and starts another on the same data. */
  restart(): Promise<TestServer>;
}

const PLAN = JSON.stringify({
  title: 'How steel is quenched',
  plan: [
    { question: 'What is it cooled in?', queries: ['quench oil', 'quench water'] },
    { question: 'How hot is it?', queries: ['quench heat'] },
  ],
});

export const DRAFT = {
  title: 'How steel is quenched',
  summary: 'Steel is heated and cooled in oil.',
  report: '## Cooling\n\nOil is slow [1]. Water is fast [2].\n\n## Heat\n\nAbout 820 degrees [3].',
  claims: [
    { text: 'Oil cools slowly', source: 1, passage: 'cools slowly and does not crack' },
    { text: 'Water cracks blades', source: 2, passage: 'thin blades crack in it' },
    { text: 'It is heated to 820 degrees', source: 3, passage: 'words that stand nowhere in the source' },
  ],
};

const KINDS = { plan: 'You plan research', write: 'You write research', check: 'You check whether' } as const;
type Kind = keyof typeof KINDS;

export async function researchFixture(options: TestServerOptions = {}): Promise<ResearchFixture> {
  const pages = { ...PAGES };
  const asked: string[] = [];
  const queries: string[] = [];
  const site = createServer((request, response) => {
    const url = new URL(request.url ?? '/', ORIGIN);
    if (url.pathname === '/search') {
      const query = url.searchParams.get('q') ?? '';
      queries.push(query);
      const word = query.split(' ').at(-1) ?? '';
      const results = word in { oil: 1, water: 1, heat: 1 } ? [hitOf(word)] : [];
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ results }));
    }
    asked.push(url.pathname);
    const text = pages[url.pathname];
    if (text === undefined) return void response.writeHead(404).end();
    const html = `<html><head><title>About ${url.pathname.slice(1)}</title></head><body><p>${text}</p></body></html>`;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const here = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const http = createOutboundHttp({ ambient: systemAmbient('silent') });
  const answers: ResearchFixture['answers'] = {
    plan: () => PLAN,
    write: () => JSON.stringify(DRAFT),
    check: (prompt) =>
      JSON.stringify({ verdict: prompt.includes('Water') ? 'partial' : 'supported', why: 'As it says.' }),
  };
  const held = new Map<Kind, Promise<void>>();
  const script: Script = async (request) => {
    const system = JSON.stringify(request.body);
    const kind = (Object.keys(KINDS) as Kind[]).find((one) => system.includes(KINDS[one]));
    if (!kind) return { text: 'Hello.' };
    await held.get(kind);
    return { text: answers[kind](request.lastText), usage: { promptTokens: 100, completionTokens: 20 } };
  };
  const settled = { http: redirectOrigins(http, { [ORIGIN]: here }), script, ...options };
  const server = await testServer(settled);
  await server.call('POST', '/search-source', { body: { source: 'searxng', endpoint: here } });
  const session = await server.startSession();
  await server.settled(session);
  const read = async (id: string): Promise<any> =>
    (await server.call('GET', `/sessions/${session}/research/${id}`)).data?.ricerca;

  return {
    server,
    session,
    pages,
    asked,
    queries,
    answers,
    read,
    hold(kind) {
      let go: () => void = () => undefined;
      held.set(
        kind,
        new Promise((resolve) => {
          go = resolve;
        }),
      );
      return {
        go() {
          held.delete(kind);
          go();
        },
      };
    },
    async start(question = 'How is steel quenched?', depth = '--deep') {
      await server.call('POST', `/sessions/${session}/resume`, {
        body: { messaggio: `/research ${depth} ${question}` },
      });
      await server.settled(session);
      const events = await server.events(session);
      const texts = events.filter(({ type }) => type === 'TextMessageContent') as { delta: string }[];
      const id = /\(([\w-]{20,})\)/.exec(texts.at(-1)?.delta ?? '')?.[1];
      if (!id) throw new Error(`not started: ${texts.at(-1)?.delta}`);
      return id;
    },
    async restart() {
      await server.stop();
      return testServer({ ...settled, dataDir: server.dataDir });
    },
    ended: (id) =>
      until(async () => {
        const found = await read(id);
        return found && found.stato !== 'running' ? found : undefined;
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await http[Symbol.asyncDispose]();
      close(site);
    },
  };
}

function close(site: Server): void {
  site.closeAllConnections();
  site.close();
}

const hitOf = (word: string) => ({ url: `${ORIGIN}/${word}`, title: `About ${word}`, content: `On ${word}.` });
