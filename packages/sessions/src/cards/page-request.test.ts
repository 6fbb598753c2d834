import type { PermissionLevel, Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { type TestSessions, testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import type { ReachRequest } from '../turn/turn-context.ts';
import type { PageRequest } from './page-request.ts';

const OTHER = 'https://shop.other.example/x?data=a%20secret';
const request = (more: Partial<PageRequest> = {}): PageRequest => ({ url: OTHER, isFree: false, asks: true, ...more });

/** A tool whose page sends these, one after the other, and prints the answers. */
async function sending(requests: readonly PageRequest[], more: Parameters<typeof testSessions>[1] = {}) {
  const browser: Tool = {
    name: 'browser_act',
    description: '',
    category: 'base',
    effect: 'network',
    gate: null,
    input: z.unknown(),
    action: () => ({ tipo: 'browser_act' }),
    async run(_input, { sessionId, signal }) {
      const answers: string[] = [];
      for (const one of requests) answers.push(await setup.sessions.requests.judgePage(sessionId, one, signal));
      return { content: answers.join(' ') };
    },
  };
  const reach = async ({ isFree, url }: ReachRequest) =>
    isFree
      ? ({ verdict: 'allow' } as const)
      : ({
          verdict: 'ask',
          host: `*.${new URL(url ?? '').hostname.split('.').slice(-2).join('.')}`,
          port: 443,
        } as const);
  const setup: TestSessions = await testSessions([{ events: call('c1', 'browser_act', {}) }, { events: say('done') }], {
    tools: [browser],
    reach,
    ...more,
  });
  const begin = async (message = 'Go.', permissions: PermissionLevel = 'Workspace write') => {
    const session = setup.newSession();
    const settings = { ...session.settings, permissions };
    return (await setup.sessions.create({ ...session, input: { message }, settings })).sessionId;
  };
  const answers = () =>
    setup.model.requests.at(-1)?.messages.flatMap((one) => (one.role === 'tool' ? [one.content] : []));
  return { setup, begin, answers };
}

test('a page shows its address and data on a card, and an answer for the session covers the domain', async () => {
  const found = await sending([request({ data: 's=key' }), request({ url: 'https://api.other.example/' })]);
  await using setup = found.setup;
  const id = await found.begin();
  const { azione, requestId } = (await setup.seen(id, 'ApprovalRequested')) as unknown as {
    azione: object;
    requestId: string;
  };
  expect(azione).toMatchObject({
    tipo: 'rete',
    strumento: 'browser_act',
    host: '*.other.example',
    indirizzo: OTHER,
    dati: 's=key',
  });
  await setup.sessions.requests.approve(id, { requestId, isApproved: true, scope: 'path' });
  await setup.sessions.turns.settled(id);
  expect(found.answers()).toEqual(['allow allow']);
});

test('a request that may not ask is denied, and one that nothing of the session can be in is not', async () => {
  const found = await sending([request({ asks: false }), request({ asks: false, isFree: true })]);
  await using setup = found.setup;
  const id = await found.begin();
  await setup.sessions.turns.settled(id);
  expect(found.answers()).toEqual(['deny allow']);
});

test('the user frees an address by writing it, but not with data, and its site for what is typed', async () => {
  const quiet = { asks: false };
  const found = await sending([
    request(quiet),
    request({ ...quiet, data: 'x' }),
    request({ ...quiet, url: 'https://www.shop.other.example/form', data: 'x', isTyped: true }),
    request({ ...quiet, url: 'https://notother.example/form', data: 'x', isTyped: true }),
  ]);
  await using setup = found.setup;
  const id = await found.begin(`Open ${OTHER}`);
  await setup.sessions.turns.settled(id);
  expect(found.answers()).toEqual(['allow deny allow deny']);
});

test('Full access never asks, nor does an automation that keeps its reach; another one is denied', async () => {
  const full = await sending([request({ data: 'x' })]);
  await using first = full.setup;
  await first.sessions.turns.settled(await full.begin('Go.', 'Full access'));
  expect(full.answers()).toEqual(['allow']);
  for (const [readsAnyAddress, expected] of [
    [true, 'allow'],
    [false, 'deny'],
  ] as const) {
    const found = await sending([request({ data: 'x' })], {
      unattended: () => ({ mayDelegate: false, readsAnyAddress }),
    });
    await using setup = found.setup;
    await setup.sessions.turns.settled(await found.begin());
    expect(found.answers()).toEqual([expected]);
  }
});
