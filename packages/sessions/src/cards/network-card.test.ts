import type { Tool } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type Bench, bench } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import type { NetworkRequest } from './network-card.ts';

const wanted: NetworkRequest = { host: 'example.org', port: 443, program: 'npm', command: 'npm ci' };

/** A command that asks for each of these hosts at a time, and prints the answers. */
function connecting(b: () => Bench, hosts: readonly NetworkRequest[], signal = new AbortController().signal): Tool {
  return {
    name: 'connect',
    description: '',
    category: 'base',
    effect: 'network',
    gate: null,
    input: z.unknown(),
    action: () => ({ tipo: 'connect' }),
    async run(_input, { sessionId }) {
      const ask = (host: NetworkRequest) => b().sessions.requests.askNetwork(sessionId, host, signal);
      return { content: (await Promise.all(hosts.map(ask))).join(' ') };
    },
  };
}

async function benchWith(hosts: readonly NetworkRequest[], signal?: AbortSignal): Promise<Bench> {
  const calls = ['c1', 'c2'].map((id) => ({ events: call(id, 'connect', {}) }));
  const b: Bench = await bench([...calls, { events: say('done') }], {
    tools: [connecting(() => b, hosts, signal)],
  });
  return b;
}

async function pendingHost(b: Bench, id: string): Promise<{ requestId: string; host: unknown }> {
  for (;;) {
    const card = await b.sessions.requests.pending(id);
    if (card?.kind === 'approval') return { requestId: card.requestId, host: card.action.host };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const results = (b: Bench) =>
  b.model.requests.at(-1)?.messages.flatMap((one) => (one.role === 'tool' ? [one.content] : []));

describe('a network card', () => {
  test('shows host, port, program and command line, and allows once', async () => {
    await using b = await benchWith([wanted]);
    const id = await b.start({ permissions: 'Workspace write' });
    const event = await b.seen(id, 'ApprovalRequested');
    expect(event).toMatchObject({
      azione: { tipo: 'rete', host: 'example.org', porta: 443, programma: 'npm', comando: 'npm ci' },
    });
    for (let asked = 0; asked < 2; asked++) {
      const { requestId } = await pendingHost(b, id);
      await b.sessions.requests.approve(id, { requestId, isApproved: true });
    }
    await b.sessions.turns.settled(id);
    expect(results(b)).toEqual(['once', 'once']);
  });

  test('holds for the session when the answer has a scope, for that host and port', async () => {
    await using b = await benchWith([wanted]);
    const id = await b.start({ permissions: 'Workspace write' });
    const { requestId } = await pendingHost(b, id);
    await b.sessions.requests.approve(id, { requestId, isApproved: true, scope: 'path' });
    await b.sessions.turns.settled(id);
    expect(results(b)).toEqual(['session', 'session']);
    const { signal } = new AbortController();
    expect(await b.sessions.requests.askNetwork(id, wanted, signal)).toBe('session');
    expect(await b.sessions.requests.askNetwork(id, { ...wanted, port: 22 }, signal)).toBe('deny');
  });

  test('waits behind another card: one is open at a time', async () => {
    await using b = await benchWith([wanted, { host: 'b.example', port: 1 }]);
    const id = await b.start({ permissions: 'Workspace write' });
    const answers: unknown[] = [];
    for (const isApproved of [true, false, false, true]) {
      const { requestId, host } = await pendingHost(b, id);
      answers.push(host);
      await b.sessions.requests.approve(id, { requestId, isApproved });
    }
    await b.sessions.turns.settled(id);
    expect(answers).toEqual(['example.org', 'b.example', 'example.org', 'b.example']);
    expect(results(b)).toEqual(['once deny', 'deny once']);
  });

  test('is withdrawn when the call that asked is aborted', async () => {
    const gone = new AbortController();
    await using b = await benchWith([wanted], gone.signal);
    const id = await b.start({ permissions: 'Workspace write' });
    const { requestId } = await pendingHost(b, id);
    gone.abort();
    await b.sessions.turns.settled(id);
    const resolved = (await b.events(id)).filter(({ type }) => type === 'ApprovalResolved');
    expect(resolved).toEqual([expect.objectContaining({ requestId, approvato: false, interrotto: true })]);
    expect(results(b)).toEqual(['deny', 'deny']);
  });

  test('ends with its turn, once', async () => {
    await using b = await benchWith([wanted, { host: 'b.example', port: 1 }]);
    const id = await b.start({ permissions: 'Workspace write' });
    await pendingHost(b, id);
    await b.sessions.turns.stop(id);
    await b.sessions.turns.settled(id);
    const cards = (await b.events(id)).filter(({ type }) => type.startsWith('Approval'));
    expect(cards.map(({ type }) => type)).toEqual(['ApprovalRequested', 'ApprovalResolved']);
    expect(await b.sessions.requests.pending(id)).toBeNull();
  });

  test('is not shown where no turn runs', async () => {
    await using b = await bench([{ events: say('done') }]);
    const id = await b.start();
    await b.sessions.turns.settled(id);
    expect(await b.sessions.requests.askNetwork(id, wanted, new AbortController().signal)).toBe('deny');
    expect((await b.events(id)).filter(({ type }) => type === 'ApprovalRequested')).toEqual([]);
  });
});
