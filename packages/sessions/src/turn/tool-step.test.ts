import { systemAmbient, type Tool } from '@fucina/shared';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { createDesk } from './desk.ts';
import { createRepeats } from './repeats.ts';
import { runToolCalls } from './tool-step.ts';

test('reads run side by side, but only some at a time', async () => {
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
      images: { keep: async () => [] },
      tools: new Map([[tool.name, tool]]),
      isControlFile: () => false,
      desk: createDesk(new AbortController().signal),
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
      repeats: createRepeats(),
      seen: new Map(),
      append: (events) => void answered.push(...events.map(({ type }) => type)),
      emit: () => undefined,
      processes: { add: () => () => undefined, letGo: () => undefined },
      files: {
        turn: () => 1,
        settled: async () => undefined,
        ready: async () => undefined,
        command: () => ({ answered: () => undefined, ended: () => undefined }),
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
