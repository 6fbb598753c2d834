import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { faults, type Visit } from './window-visit.ts';

/** Searched on every page on which it was typed. */
export const KEY = 'sk-planted-0123456789abcdef';

/** Half of them state a price and a context size, a quarter their capabilities. */
const MODELS = Array.from({ length: 5_000 }, (_, at) => ({
  id: `vendor/model-${at}`,
  name: `Model ${at}`,
  ...(at % 2 === 0 ? { context_length: 128_000, pricing: { prompt: '0.000003', completion: '0.000015' } } : {}),
  ...(at % 4 === 0 ? { supported_parameters: ['tools', 'reasoning'] } : {}),
}));

export interface Aggregator {
  endpoint: string;
  close(): void;
}

/** An aggregator with five thousand models and a sign-in page, which rejects every conversation. */
export async function openAggregator(): Promise<Aggregator> {
  /** Code → challenge, as an authorization server stores them. */
  const codes = new Map<string, string>();
  const server = createServer((request, response) => void answer(codes, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function answer(codes: Map<string, string>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://upstream');
  const say = (status: number, body: unknown) => response.writeHead(status).end(JSON.stringify(body));
  if (pathname === '/auth') {
    const code = randomUUID();
    codes.set(code, searchParams.get('code_challenge') ?? '');
    const back = searchParams.get('callback_url');
    if (back) response.writeHead(302, { location: `${back}?code=${code}` }).end();
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${code}</p>`);
  } else if (pathname.endsWith('/auth/keys')) {
    const { code = '', code_verifier: verifier = '' } = JSON.parse(text) as Record<string, string>;
    const isRight = codes.get(code) === createHash('sha256').update(verifier).digest('base64url') && codes.delete(code);
    say(isRight ? 200 : 403, isRight ? { key: `sk-or-${code}` } : {});
  } else if (pathname.endsWith('/models')) say(200, { data: MODELS });
  else if (pathname.endsWith('/key')) say(200, { data: {} });
  else say(401, { error: { message: 'no such key' } });
}

/** The form of one provider, opened by its address. */
export async function formOf(page: Page, id: string): Promise<Locator> {
  await page.goto(new URL(`/settings/providers?provider=${id}`, page.url()).href);
  const form = page.locator('.provider-form');
  await form.waitFor();
  return form;
}

export const button = (place: Locator | Page, name: string | RegExp): Locator =>
  place.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name });

/** All content of the page and the browser's storage. */
export const contentOf = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const values = [...document.querySelectorAll('input')].map(({ value }) => value);
    const stores = [localStorage, sessionStorage].map((store) => JSON.stringify({ ...store }));
    return [document.documentElement.outerHTML, location.href, document.cookie, ...values, ...stores].join('\n');
  });

export async function expectClean({ page, complaints }: Visit): Promise<void> {
  expect(await faults(page)).toEqual([]);
  expect(complaints).toEqual([]);
}

/** The dark window in Italian at the width of a phone. */
export const SMALL = { colorScheme: 'dark', viewport: { width: 400, height: 600 }, locale: 'it-IT' } as const;
