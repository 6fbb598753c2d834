import type { SessionEvent, Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';

test('runs reads in parallel up to a limit', async () => {
  let running = 0;
  let most = 0;
  const looks: Tool = {
    name: 'guarda',
    description: 'looks',
    category: 'base',
    effect: 'read',
    gate: null,
    input: z.object({}),
    action: () => ({ tipo: 'guarda' }),
    async run() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { content: 'seen' };
    },
  };
  const calls = Array.from({ length: 100 }, (_, index) => call(`c${index}`, 'guarda', { index }));
  await using setup = await testSessions([{ events: calls.flat() }, { events: say('done') }], { tools: [looks] });
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  const results = (await setup.events(id)).filter(({ type }) => type === 'ToolCallResult');
  expect(results.map((result) => ('content' in result ? result.content : ''))).toEqual(calls.map(() => 'seen'));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

test('stores a call with side effects before it starts', async () => {
  const onDisk: number[] = [];
  const marks: Tool = {
    name: 'marca',
    description: 'leaves a mark',
    category: 'base',
    effect: 'write',
    gate: null,
    input: z.object({}),
    action: () => ({ tipo: 'marca' }),
    async run() {
      await using beside = setup.beside();
      const { events } = await beside.export(id);
      onDisk.push((events as SessionEvent[]).filter(({ type }) => type === 'ToolCallStart').length);
      return { content: 'marked' };
    },
  };
  const answers = Array.from({ length: 20 }, (_, index) => ({
    // A commit right before the call: events that follow at once are batched.
    events: [...say('now'), ...call(`m${index}`, 'marca', {})],
  }));
  await using setup = await testSessions([...answers, { events: say('done') }], { tools: [marks] });
  const id = await setup.start();
  await setup.sessions.turns.settled(id);
  expect(onDisk).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
});

test('refuses an impossible call without asking the user', async () => {
  const edit: Tool = {
    name: 'modifica',
    description: 'edits',
    category: 'base',
    effect: 'write',
    gate: 'file_edit',
    input: z.object({}),
    action: () => ({ tipo: 'modifica', percorso: 'a.txt' }),
    check: async () => 'The text does not occur in a.txt.',
    async run() {
      throw new Error('run although the check failed');
    },
  };
  await using setup = await testSessions([{ events: call('c1', 'modifica', {}) }, { events: say('done') }], {
    tools: [edit],
  });
  const id = await setup.start({ permissions: 'On request' });
  await setup.sessions.turns.settled(id);
  const events = await setup.events(id);
  expect(events.some(({ type }) => type === 'ApprovalRequested')).toBe(false);
  expect(events.find(({ type }) => type === 'ToolCallResult')).toMatchObject({
    content: 'The text does not occur in a.txt.',
    fallito: true,
  });
});
