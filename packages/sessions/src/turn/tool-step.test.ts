import { type SessionEvent, systemAmbient, type Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import { createCardSlot } from './pending-card.ts';
import { createRepeats } from './repeats.ts';
import { runToolCalls } from './tool-step.ts';

test('runs reads in parallel up to a limit', async () => {
  let running = 0;
  let most = 0;
  const tool: Tool = {
    name: 'leggi',
    description: 'reads',
    category: 'base',
    effect: 'read',
    gate: null,
    input: z.object({}),
    action: () => ({ tipo: 'leggi' }),
    async run() {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { content: 'read' };
    },
  };
  const answered: string[] = [];
  await runToolCalls(
    Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, name: 'leggi', arguments: '{}' })),
    {
      ambient: systemAmbient('silent'),
      images: { keep: async () => [], keepMedia: async () => [] },
      tools: new Map([[tool.name, tool]]),
      isControlFile: () => false,
      cardSlot: createCardSlot(new AbortController().signal),
      place: { folder: '/', testCommand: null, sessionId: 's', isProjectFolder: false },
      settings: () => ({
        model: null,
        plannerModel: null,
        reasoning: null,
        permissions: 'Read only',
        toolPermissions: null,
        mode: 'normal',
        fallbackProviders: [],
        language: null,
      }),
      grants: () => [],
      askedReads: new Set(),
      repeats: createRepeats(),
      seen: new Map(),
      append: (events) => void answered.push(...events.map(({ type }) => type)),
      appendResult: (events) => void answered.push(...events.map(({ type }) => type)),
      secure: () => undefined,
      emit: () => undefined,
      emitLast: () => undefined,
      processes: { add: () => () => undefined, letGo: () => undefined },
      files: {
        turn: () => 1,
        settled: async () => undefined,
        ready: async () => undefined,
        command: () => ({ answered: () => undefined, ended: () => undefined }),
        writing: () => () => undefined,
        note: async () => undefined,
      },
      hooks: undefined,
      isLeftOpen: () => false,
      isCutShort: () => false,
      signal: new AbortController().signal,
    },
  );
  expect(answered).toHaveLength(100);
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
