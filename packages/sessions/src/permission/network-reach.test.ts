import type { PermissionLevel, Tool } from '@fucina/shared';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import type { Reach, ReachRequest } from '../turn/turn-context.ts';
import { networkAction } from './network-reach.ts';

const KNOWN = 'https://known.example/a';
const OTHER = 'https://other.example/x?data=a%20secret';

/** Reads nothing: the gate is tested. Finds FOUND. */
const reader: Tool<{ url: string }> = {
  name: 'naviga',
  description: '',
  category: 'base',
  effect: 'network',
  gate: null,
  reaches: 'address',
  input: z.object({ url: z.string() }),
  action: ({ url }) => ({ tipo: 'naviga', url }),
  run: async ({ url }) => ({ content: `read ${url}`, addresses: [`${url}/found`] }),
};

/** A policy that asks for whatever is not free. */
async function asksOthers({ url, isFree }: ReachRequest): Promise<Reach> {
  return isFree ? { verdict: 'allow' } : { verdict: 'ask', host: `*.${new URL(url ?? '').hostname}`, port: 443 };
}

async function reading(urls: readonly string[], more: Parameters<typeof testSessions>[1] = {}): Promise<TestSessions> {
  const calls = urls.map((url, at) => ({ events: call(`c${at}`, 'naviga', { url }) }));
  return testSessions([...calls, { events: say('done') }], { tools: [reader], reach: asksOthers, ...more });
}

async function begin(setup: TestSessions, message = 'Go.', permissions: PermissionLevel = 'Workspace write') {
  const session = setup.newSession();
  const settings = { ...session.settings, permissions };
  return (await setup.sessions.create({ ...session, input: { message }, settings })).sessionId;
}

const results = (setup: TestSessions) =>
  setup.model.requests.at(-1)?.messages.flatMap((one) => (one.role === 'tool' ? [one.content] : []));

describe('the reach of a tool', () => {
  test('asks nothing for an address that the user wrote, and for one that a tool found', async () => {
    await using setup = await reading([KNOWN, `${KNOWN}/found`]);
    const id = await begin(setup, `Read ${KNOWN}, please.`);
    await setup.sessions.turns.settled(id);
    expect(results(setup)).toEqual([`read ${KNOWN}`, `read ${KNOWN}/found`]);
  });

  test('shows the address and the data that another one carries, and reads it once approved', async () => {
    await using setup = await reading([OTHER]);
    const id = await begin(setup, `Read ${KNOWN}.`);
    const event = await setup.seen(id, 'ApprovalRequested');
    expect(event).toMatchObject({
      azione: {
        tipo: 'rete',
        strumento: 'naviga',
        host: '*.other.example',
        porta: 443,
        indirizzo: OTHER,
        dati: 'data=a secret',
      },
    });
    const card = await setup.sessions.requests.pending(id);
    await setup.sessions.requests.approve(id, { requestId: card?.requestId ?? '', isApproved: true });
    await setup.sessions.turns.settled(id);
    expect(results(setup)).toEqual([`read ${OTHER}`]);
  });

  test('reads nothing when the user denies it', async () => {
    await using setup = await reading([OTHER]);
    const id = await begin(setup);
    await setup.seen(id, 'ApprovalRequested');
    const card = await setup.sessions.requests.pending(id);
    await setup.sessions.requests.approve(id, { requestId: card?.requestId ?? '', isApproved: false });
    await setup.sessions.turns.settled(id);
    expect(results(setup)?.[0]).toContain('The user did not allow this.');
  });

  test('asks once for a domain that the user allows for the session', async () => {
    const urls = [OTHER, 'https://sub.other.example/y'];
    await using setup = await reading(urls, {
      reach: async ({ isFree, url }) =>
        isFree
          ? { verdict: 'allow' }
          : { verdict: 'ask', host: url === OTHER ? '*.other.example' : 'sub.other.example', port: 443 },
    });
    const id = await begin(setup);
    await setup.seen(id, 'ApprovalRequested');
    const card = await setup.sessions.requests.pending(id);
    await setup.sessions.requests.approve(id, { requestId: card?.requestId ?? '', isApproved: true, scope: 'path' });
    await setup.sessions.turns.settled(id);
    expect(results(setup)).toEqual(urls.map((url) => `read ${url}`));
    const { signal } = new AbortController();
    const command = { host: 'deep.other.example', port: 443 };
    expect(await setup.sessions.requests.askNetwork(id, command, signal)).toBe('session');
    expect(await setup.sessions.requests.askNetwork(id, { ...command, port: 80 }, signal)).toBe('deny');
    expect(await setup.sessions.requests.askNetwork(id, { ...command, host: 'notother.example' }, signal)).toBe('deny');
  });

  test('asks nothing at Full access', async () => {
    await using setup = await reading([OTHER]);
    const id = await begin(setup, 'Go.', 'Full access');
    await setup.sessions.turns.settled(id);
    expect(results(setup)).toEqual([`read ${OTHER}`]);
  });

  test('names the blocked host in an automation run, and keeps the reach of an older one', async () => {
    for (const [readsAnyAddress, expected] of [
      [false, 'Fucina blocks *.other.example'],
      [true, `read ${OTHER}`],
    ] as const) {
      await using setup = await reading([OTHER], { unattended: () => ({ mayDelegate: false, readsAnyAddress }) });
      const id = await begin(setup);
      await setup.sessions.turns.settled(id);
      expect(results(setup)?.[0]).toContain(expected);
    }
  });
});

test('shows no data of an address without a query, and the text of one that cannot be decoded', () => {
  const ask = { verdict: 'ask', host: 'a.example', port: 443 } as const;
  expect(networkAction({ tipo: 'naviga', url: 'https://a.example/x' }, ask)).not.toHaveProperty('dati');
  expect(networkAction({ tipo: 'naviga', url: 'https://a.example/?q=%zz' }, ask)).toMatchObject({ dati: 'q=%zz' });
});
