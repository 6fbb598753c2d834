import { join } from 'node:path';
import type { ExternalTurn, ModelClient, ModelEvent } from '@fucina/shared';
import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { researchFiles } from './research-files.ts';
import { createResearchRuns, type ResearchNeeds } from './runs.ts';

interface Wish {
  isAllowed?: boolean;
  plan?: string;
  /** Called while the model plans. */
  onPlan?(runs: ReturnType<typeof createResearchRuns>): Promise<void>;
  startFails?: boolean;
}

const PLAN = JSON.stringify({ title: 'T', plan: [{ question: 'q', queries: ['a', 'b'] }] });

async function fixture({ isAllowed = true, plan = PLAN, onPlan, startFails }: Wish) {
  const dir = await tempDir();
  const project = dir.path;
  const session: { state: 'running' | 'closed' } = { state: 'running' };
  const client: ModelClient = {
    async *stream() {
      await onPlan?.(runs);
      yield [{ type: 'text', delta: plan }] satisfies ModelEvent[];
    },
  };
  const needs: ResearchNeeds = {
    ambient: fakeAmbient(),
    client,
    items: { add: async () => undefined, remove: async () => ({}) as never },
    search: async () => [],
    readPage: async () => undefined,
    async startSession({ prepare }) {
      await prepare({ id: 'run', folder: project });
      if (startFails) throw new Error('closing');
      return { sessionId: 'run' };
    },
    sessionState: async () => session.state,
    goOn: async () => undefined,
    stop: async () => undefined,
  };
  const runs = createResearchRuns(needs);
  const hands = { sessionId: 'run', folder: project, mayDo: async () => isAllowed } as unknown as ExternalTurn;
  return {
    runs,
    project,
    session,
    async turn() {
      const events: ModelEvent[] = [];
      const request = { model: 'a:b', system: [], messages: [], tools: [], external: hands };
      for await (const batch of runs.stream(request, new AbortController().signal)) events.push(...batch);
      return events;
    },
    state: async () => (await runs.read(project, 'run')).state,
    journal: async () => (await researchFiles(project, 'run').journal()).events.map(({ type }) => type),
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

const start = { parentId: 'p', question: 'Q?', depth: 'deep' } as const;

describe('a research run', () => {
  test('ends as blocked when no tool is allowed', async () => {
    await using g = await fixture({ isAllowed: false });
    await g.runs.start(start);
    await g.turn();
    expect(await g.state()).toBe('bloccata-dal-permesso');
  });

  test('ends at its step limit', async () => {
    await using g = await fixture({});
    await g.runs.start(start);
    const at = '2026-01-01T00:00:00.000Z';
    const step = { type: 'step_started', step: 'search-9', kind: 'search', label: 'x', at } as const;
    await researchFiles(g.project, 'run').append(Array.from({ length: 401 }, () => step));
    await g.turn();
    expect(await g.state()).toBe('giri-esauriti');
  });

  test('ends without a report when the model never makes a plan', async () => {
    await using g = await fixture({ plan: 'Sorry.' });
    await g.runs.start(start);
    expect((await g.turn()).at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    expect(await g.state()).toBe('senza-rapporto');
  });

  test('pauses before its first step and continues in the next turn', async () => {
    await using g = await fixture({});
    await g.runs.start(start);
    await g.runs.pause(g.project, 'run');
    await g.turn();
    expect((await g.journal()).at(-1)).toBe('run_paused');
    await g.turn();
    expect(await g.journal()).toContain('run_resumed');
    expect(await g.state()).toBe('failed');
  });

  test('does not pause at a resume because of a pause that came as the turn before ended', async () => {
    await using g = await fixture({});
    await g.runs.start(start);
    await g.runs.pause(g.project, 'run');
    await g.turn();
    await g.runs.pause(g.project, 'run');
    g.session.state = 'closed';
    await g.runs.resume(g.project, 'run');
    g.session.state = 'running';
    await g.turn();
    expect((await g.journal()).filter((type) => type === 'run_paused')).toHaveLength(1);
    expect(await g.state()).toBe('failed');
  });

  test('stays cancelled when cancelled during a step', async () => {
    await using g = await fixture({ onPlan: (runs) => runs.cancel(join(g.project), 'run') });
    await g.runs.start(start);
    await g.turn();
    expect(await g.state()).toBe('cancelled');
  });

  test('leaves nothing when its session could not be created', async () => {
    await using g = await fixture({ startFails: true });
    await expect(g.runs.start(start)).rejects.toThrow('closing');
    expect((await g.runs.list(g.project)).total).toBe(0);
  });
});
