import type { Tool } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import type { NetworkRequest } from './network-card.ts';

const wanted: NetworkRequest = { host: 'example.org', port: 443, program: 'npm', command: 'npm ci' };

/** A command that requests these hosts in parallel, and prints the answers. */
function connecting(
  b: () => TestSessions,
  hosts: readonly NetworkRequest[],
  signal = new AbortController().signal,
): Tool {
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

async function benchWith(hosts: readonly NetworkRequest[], signal?: AbortSignal): Promise<TestSessions> {
  const calls = ['c1', 'c2'].map((id) => ({ events: call(id, 'connect', {}) }));
  const setup: TestSessions = await testSessions([...calls, { events: say('done') }], {
    tools: [connecting(() => setup, hosts, signal)],
  });
  return setup;
}

async function pendingHost(setup: TestSessions, id: string): Promise<{ requestId: string; host: unknown }> {
  for (;;) {
    const card = await setup.sessions.requests.pending(id);
    if (card?.kind === 'approval') return { requestId: card.requestId, host: card.action.host };
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const results = (setup: TestSessions) =>
  setup.model.requests.at(-1)?.messages.flatMap((one) => (one.role === 'tool' ? [one.content] : []));

describe('a network card', () => {
  test('shows host, port, program and command line, and allows once', async () => {
    await using setup = await benchWith([wanted]);
    const id = await setup.start({ permissions: 'Workspace write' });
    const event = await setup.seen(id, 'ApprovalRequested');
    expect(event).toMatchObject({
      azione: { tipo: 'rete', host: 'example.org', porta: 443, programma: 'npm', comando: 'npm ci' },
    });
    for (let asked = 0; asked < 2; asked++) {
      const { requestId } = await pendingHost(setup, id);
      await setup.sessions.requests.approve(id, { requestId, isApproved: true });
    }
    await setup.sessions.turns.settled(id);
    expect(results(setup)).toEqual(['once', 'once']);
  });

  test('applies to that host and port for the session when the answer has a scope', async () => {
    await using setup = await benchWith([wanted]);
    const id = await setup.start({ permissions: 'Workspace write' });
    const { requestId } = await pendingHost(setup, id);
    await setup.sessions.requests.approve(id, { requestId, isApproved: true, scope: 'path' });
    await setup.sessions.turns.settled(id);
    expect(results(setup)).toEqual(['session', 'session']);
    const { signal } = new AbortController();
    expect(await setup.sessions.requests.askNetwork(id, wanted, signal)).toBe('session');
    expect(await setup.sessions.requests.askNetwork(id, { ...wanted, port: 22 }, signal)).toBe('deny');
  });

  test('waits behind another card: one is open at a time', async () => {
    await using setup = await benchWith([wanted, { host: 'b.example', port: 1 }]);
    const id = await setup.start({ permissions: 'Workspace write' });
    const answers: unknown[] = [];
    for (const isApproved of [true, false, false, true]) {
      const { requestId, host } = await pendingHost(setup, id);
      answers.push(host);
      await setup.sessions.requests.approve(id, { requestId, isApproved });
    }
    await setup.sessions.turns.settled(id);
    expect(answers).toEqual(['example.org', 'b.example', 'example.org', 'b.example']);
    expect(results(setup)).toEqual(['once deny', 'deny once']);
  });

  test('is withdrawn when the call that asked is aborted', async () => {
    const gone = new AbortController();
    await using setup = await benchWith([wanted], gone.signal);
    const id = await setup.start({ permissions: 'Workspace write' });
    const { requestId } = await pendingHost(setup, id);
    gone.abort();
    await setup.sessions.turns.settled(id);
    const resolved = (await setup.events(id)).filter(({ type }) => type === 'ApprovalResolved');
    expect(resolved).toEqual([expect.objectContaining({ requestId, approvato: false, interrotto: true })]);
    expect(results(setup)).toEqual(['deny', 'deny']);
  });

  test('ends with its turn, once', async () => {
    await using setup = await benchWith([wanted, { host: 'b.example', port: 1 }]);
    const id = await setup.start({ permissions: 'Workspace write' });
    await pendingHost(setup, id);
    await setup.sessions.turns.stop(id);
    await setup.sessions.turns.settled(id);
    const cards = (await setup.events(id)).filter(({ type }) => type.startsWith('Approval'));
    expect(cards.map(({ type }) => type)).toEqual(['ApprovalRequested', 'ApprovalResolved']);
    expect(await setup.sessions.requests.pending(id)).toBeNull();
  });

  test('is not shown where no turn runs', async () => {
    await using setup = await testSessions([{ events: say('done') }]);
    const id = await setup.start();
    await setup.sessions.turns.settled(id);
    expect(await setup.sessions.requests.askNetwork(id, wanted, new AbortController().signal)).toBe('deny');
    expect((await setup.events(id)).filter(({ type }) => type === 'ApprovalRequested')).toEqual([]);
  });
});
