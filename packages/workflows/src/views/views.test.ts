import { describe, expect, test } from '@jest/globals';
import { edgeWith, graphOfWidth, headWith, nodeWith, stepChain } from '../../test/cores.ts';
import { ROOT, runFixture } from '../../test/run-fixture.ts';
import { SESSION_WITHOUT_RUNS, viewsOf } from '../../test/views-fixture.ts';
import type { DefinitionCore } from '../definition/core.ts';

const page = (offset = 0, limit = 50) => ({ offset, limit });

/** Two phases: `read` with a and b, `write` with c, which depends on both, and d after c. */
const diamond: DefinitionCore = {
  ...headWith({
    title: 'Città',
    phases: [
      { id: 'read', label: 'Read' },
      { id: 'write', label: 'Write' },
    ],
  }),
  nodes: [
    nodeWith('a', { phaseId: 'read', instructions: '\n  First line \nsecond', priority: 3 }),
    nodeWith('b', { phaseId: 'read', role: 'reviewer' }),
    nodeWith('c', { phaseId: 'write', modelPolicy: { mode: 'explicit', model: 'ollama:big', reasoning: null } }),
    nodeWith('d', { phaseId: 'write' }),
  ],
  edges: [edgeWith('a', 'c'), edgeWith('b', 'c', { type: 'review' }), edgeWith('c', 'd')],
};

describe('a plan view', () => {
  test('shows the phases and their edges', async () => {
    await using fixture = await runFixture();
    const ref = fixture.approved(diamond);
    const views = viewsOf(fixture);
    const seen = views.overview(ref);
    expect(seen.base).toEqual({
      runId: null,
      workflowId: ref.workflowId,
      version: 1,
      definitionHash: ref.definitionHash,
    });
    expect(seen.view).toMatchObject({ phaseSource: 'explicit', total: 4, terminated: 0, attention: 0 });
    expect(seen.view.groups[0]).toEqual({
      phaseId: 'read',
      label: 'Read',
      order: 0,
      total: 2,
      terminated: 0,
      attention: 0,
      counts: { planned: 2 },
      progress: null,
      roles: { researcher: 1, reviewer: 1 },
      kinds: { agent: 2 },
    });
    expect(seen.view.connections).toEqual([
      { fromPhaseId: 'read', toPhaseId: 'write', total: 2, types: { control: 1, review: 1 } },
    ]);
    expect(views.overview(ref)).toEqual(seen);
  });

  test('shows the instructions, agent and predecessors of a step', async () => {
    await using fixture = await runFixture();
    const ref = fixture.approved(diamond);
    const views = viewsOf(fixture);
    expect(views.plannedStep(ref, 'c').view).toMatchObject({
      step: { nodeId: 'c', state: 'planned', dependencyCount: 2, childCount: 0, updatedAt: null },
      instructions: 'Do c',
      capabilityProfile: 'read',
      model: 'ollama:big',
      dependsOn: ['a', 'b'],
    });
    const { items } = views.steps(ref, { phaseId: 'read', page: page() }).view;
    expect(items.map(({ nodeId, plan }) => [nodeId, plan])).toEqual([
      ['a', { model: null, taskPreview: 'First line' }],
      ['b', { model: null, taskPreview: 'Do b' }],
    ]);
  });

  test('pages edges, all or within phases', async () => {
    await using fixture = await runFixture();
    const ref = fixture.approved(diamond);
    const views = viewsOf(fixture);
    const all = views.edges(ref, { page: page(0, 2), phaseIds: [] }).view;
    expect(all.items.map(({ edgeId }) => edgeId)).toEqual(['a-c', 'b-c']);
    expect(all).toMatchObject({ total: 3, nextOffset: 2 });
    expect(all.phaseIds).toBeUndefined();
    const within = views.edges(ref, { page: page(), phaseIds: ['write', 'write'] }).view;
    expect(within).toMatchObject({ phaseIds: ['write'], total: 1, nextOffset: null });
    expect(within.items).toEqual([{ edgeId: 'c-d', fromNodeId: 'c', toNodeId: 'd', type: 'control' }]);
    expect(views.edges(ref, { page: page(), phaseIds: ['write', 'read'] }).view).toMatchObject({
      phaseIds: ['read', 'write'],
      total: 3,
    });
    expect(views.edges(ref, { page: page(9), phaseIds: [] }).view).toMatchObject({ items: [], nextOffset: null });
  });

  test('lists everything before or after a step, without retry edges and itself', async () => {
    await using fixture = await runFixture();
    const looped: DefinitionCore = {
      ...diamond,
      edges: [...diamond.edges, edgeWith('d', 'a', { type: 'retry' })],
    };
    const ref = fixture.approved(looped);
    const views = viewsOf(fixture);
    const lineage = (nodeId: string, direction: 'upstream' | 'downstream', at = page()) =>
      views.lineage(ref, { nodeId, direction, page: at }).view;
    expect(lineage('d', 'upstream').items).toEqual(['a', 'b', 'c']);
    expect(lineage('a', 'downstream').items).toEqual(['c', 'd']);
    expect(lineage('a', 'upstream')).toMatchObject({ items: [], total: 0, nextOffset: null });
    expect(lineage('d', 'upstream', page(1, 1))).toMatchObject({ items: ['b'], total: 3, nextOffset: 2 });
  });

  test('pages a large graph in order', async () => {
    await using fixture = await runFixture();
    const ref = fixture.approved(graphOfWidth({ steps: 400, edges: 1_500, width: 20, phases: 4 }));
    const views = viewsOf(fixture);
    const names: string[] = [];
    for (let next: number | null = 0; next !== null; ) {
      const { view } = views.steps(ref, { phaseId: 'phase-2', page: page(next, 30) });
      names.push(...view.items.map(({ nodeId }) => nodeId));
      next = view.nextOffset;
    }
    expect(names).toEqual(Array.from({ length: 100 }, (_, at) => `step-${200 + at}`));
  });

  test('answers NOT_FOUND for an unknown phase or step', async () => {
    await using fixture = await runFixture();
    const ref = fixture.approved(diamond);
    const views = viewsOf(fixture);
    const { runId } = await fixture.runs.start(ref);
    const looks = [
      () => views.overview({ ...ref, version: 2 }),
      () => views.overview({ ...ref, workflowId: 'other' }),
      () => views.overview({ sessionId: 'another', runId }),
      () => views.overview({ sessionId: ROOT, runId: 'other' }),
      () => views.steps(ref, { phaseId: 'none', page: page() }),
      () => views.edges(ref, { page: page(), phaseIds: ['read', 'none'] }),
      () => views.lineage(ref, { nodeId: 'none', direction: 'upstream', page: page() }),
      () => views.plannedStep(ref, 'none'),
      () => views.history({ sessionId: 'another', runId }, page()),
      () => views.follow({ sessionId: 'another', runId }, { after: 0, signal: new AbortController().signal }),
    ];
    for (const look of looks) expect(look).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
    const ofRun = { sessionId: ROOT, runId };
    const absent = [
      views.runStep(ofRun, { nodeId: 'none', outputOffset: 0 }),
      views.output(ofRun, { nodeId: 'a', offset: 0 }),
      views.output(ofRun, { nodeId: 'a', resultId: 'none', offset: 0 }),
      views.outputAs(ofRun, { nodeId: 'a', resultId: 'none', format: 'raw' }),
    ];
    for (const look of absent) await expect(look).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a run view', () => {
  test('shows step states with attention first', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(({ nodeId }) => (nodeId === 'a' ? { errorClass: 'internal' } : { text: 'ok' }));
    const { runId } = await fixture.started(diamond);
    const views = viewsOf(fixture);
    const ref = { sessionId: ROOT, runId };
    const seen = views.overview(ref);
    expect(seen.base).toMatchObject({ runId, graphVersion: 1, status: 'needs_attention', isPauseRequested: false });
    expect(seen.view).toMatchObject({ total: 4, terminated: 2, attention: 1 });
    expect(seen.view.groups.map(({ counts, progress }) => [counts, progress])).toEqual([
      [{ failed: 1, succeeded: 1 }, 1],
      [{ blocked: 2 }, 0],
    ]);
    const plain = views.steps(ref, { phaseId: 'read', page: page() }).view;
    expect(plain.items.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['a', 'failed'],
      ['b', 'succeeded'],
    ]);
    const [row] = plain.items;
    expect(row).toMatchObject({ attentionCount: 1, priority: 3 });
    expect(row?.work).toMatchObject({ effectiveModel: { provider: 'ollama', model: 'tiny' }, durationMs: 0 });
    expect(row?.plan).toBeUndefined();
    fixture.steps.script(() => 'hold');
    await fixture.runs.retry({ ...ref, commandId: fixture.commandId() });
    await fixture.runs.settled();
    const sorted = views.steps(ref, { phaseId: 'read', page: page(), sort: 'state' }).view;
    expect(sorted.sort).toBe('state');
    expect(sorted.items.map(({ nodeId, state, work }) => [nodeId, state, work?.durationMs])).toEqual([
      ['a', 'running', null],
      ['b', 'succeeded', 0],
    ]);
  });

  test('lists every state in order of entry', async () => {
    await using fixture = await runFixture();
    const { runId } = await fixture.started(stepChain('a', 'b'));
    const { view } = viewsOf(fixture).history({ sessionId: ROOT, runId }, page());
    expect(view.items.map((item) => (item.scope === 'run' ? item.state : `${item.nodeId} ${item.state}`))).toEqual([
      'created',
      'b blocked',
      'running',
      'a ready',
      'a leased',
      'a running',
      'a succeeded',
      'b ready',
      'b leased',
      'b running',
      'b succeeded',
      'succeeded',
    ]);
    expect(view.items[1]).toMatchObject({ scope: 'node', phaseId: 'work' });
    const rest = viewsOf(fixture).history({ sessionId: ROOT, runId }, page(11, 1)).view;
    expect(rest).toMatchObject({ total: 12, nextOffset: null, items: [{ scope: 'run', state: 'succeeded' }] });
  });

  test('is identical for identical facts and differs otherwise', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a', 'b'));
    const views = viewsOf(fixture);
    const ref = { sessionId: ROOT, runId };
    const first = views.overview(ref);
    await fixture.ambient.advance(5_000);
    expect(views.overview(ref)).toEqual(first);
    fixture.steps.release('a');
    await fixture.runs.settled();
    expect(views.overview(ref).factsAt).toBe(first.factsAt + 5_000);
  });

  test('lists runs of a session newest first, by state and by part of title or id', async () => {
    await using fixture = await runFixture();
    const first = await fixture.started(diamond);
    await fixture.ambient.advance(10);
    fixture.steps.script(() => ({ errorClass: 'internal' }));
    const second = await fixture.started(stepChain('a', 'b'));
    const views = viewsOf(fixture);
    const list = (asked: object) => views.runs(ROOT, { page: page(), ...asked }).items.map(({ runId }) => runId);
    expect(list({})).toEqual([second.runId, first.runId]);
    expect(list({ status: 'needs_attention' })).toEqual([second.runId]);
    expect(list({ text: 'CITTÀ' })).toEqual([first.runId]);
    expect(list({ text: second.runId.slice(-6) })).toEqual([second.runId]);
    expect(list({ text: '%' })).toEqual([]);
    expect(views.runs(SESSION_WITHOUT_RUNS, { page: page() })).toMatchObject({ total: 0, items: [] });
    expect(() => views.runs('gone', { page: page() })).toThrow('NOT_FOUND');
    const [item] = views.runs(ROOT, { page: page(1, 1) }).items;
    expect(item).toMatchObject({
      title: 'Città',
      version: 1,
      status: 'succeeded',
      durationMs: 0,
      steps: { total: 4, terminal: 4, failed: 0, active: 0 },
      model: 'tiny',
    });
  });
});
