import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { graphOfWidth, headWith, nodeWith, stepChain } from '../../test/cores.ts';
import { ROOT, type RunFixture, runFixture } from '../../test/run-fixture.ts';
import { viewsOf } from '../../test/views-fixture.ts';
import { MAX_IN_ROW } from '../content/content-store.ts';
import type { Views } from './views.ts';

describe('the result of a step', () => {
  const TEXT = `${'è'.repeat(3_000)}fine`;

  async function made(text = TEXT) {
    const fixture = await runFixture();
    fixture.steps.script(() => ({ text }));
    const { runId } = await fixture.started(stepChain('a'));
    return { fixture, views: viewsOf(fixture), ref: { sessionId: ROOT, runId } };
  }

  test('is previewed in pages of two thousand characters', async () => {
    const { fixture, views, ref } = await made();
    await using _fixture = fixture;
    const first = (await views.runStep(ref, { nodeId: 'a', outputOffset: 0 })).view;
    expect(first).toMatchObject({ attempt: 1, totalOutputs: 1, outputOffset: 0, nextOutputOffset: 4_000 });
    expect(first.outputs[0]).toMatchObject({ preview: 'è'.repeat(2_000), isTruncated: true, bytes: 6_004 });
    const rest = (await views.runStep(ref, { nodeId: 'a', outputOffset: 4_001 })).view;
    expect(rest.nextOutputOffset).toBeNull();
    expect(rest.outputs[0]).toMatchObject({ preview: `${'è'.repeat(1_000)}fine`, isTruncated: false });
    const beyond = (await views.runStep(ref, { nodeId: 'a', outputOffset: 2_000_000 })).view;
    expect(beyond.outputs[0]).toMatchObject({ preview: '', isTruncated: false });
  });

  test('is read as a byte range aligned to characters', async () => {
    const { fixture, views, ref } = await made('aèb');
    await using _fixture = fixture;
    const read = async (offset: number, limit?: number) => {
      const { view } = await views.output(ref, { nodeId: 'a', offset, limit });
      return view.kind === 'text' ? view.text : undefined;
    };
    expect(await read(0)).toMatchObject({
      content: 'aèb',
      totalCharacters: 3,
      offset: 0,
      shownCharacters: 3,
      bytes: 4,
    });
    expect(await read(2, 1)).toMatchObject({ content: '', offset: 1, shownCharacters: 0 });
    expect(await read(2, 2)).toMatchObject({ content: 'è', offset: 1, shownCharacters: 1 });
    expect(await read(3, 9)).toMatchObject({ content: 'b', offset: 3 });
    expect(await read(99)).toMatchObject({ content: '', offset: 4, totalCharacters: 3 });
  });

  test('is returned raw as stored', async () => {
    const { fixture, views, ref } = await made('aèb');
    await using _fixture = fixture;
    const { view } = await views.output(ref, { nodeId: 'a', offset: 0 });
    const resultId = view.kind === 'text' ? view.text.resultId : '';
    const raw = await views.outputAs(ref, { nodeId: 'a', resultId, format: 'raw' });
    expect(raw).toMatchObject({ bytes: Buffer.from('aèb'), resultId });
    expect(await views.outputAs(ref, { nodeId: 'a', format: 'json' })).toMatchObject({ view: { text: { offset: 0 } } });
  });

  test('is returned raw only for one whole result', async () => {
    const { fixture, views, ref } = await made('aèb');
    await using _fixture = fixture;
    for (const asked of [{}, { resultId: 'none', offset: 0 }, { resultId: 'none', limit: 1 }]) {
      const look = views.outputAs({ ...ref, runId: 'none' }, { nodeId: 'a', format: 'raw', ...asked });
      await expect(look).rejects.toMatchObject({ code: 'QUERY_INVALID', reason: 'raw-is-one-whole-result' });
    }
  });

  const damages = [
    {
      size: 'small',
      text: 'precious',
      damage: async ({ store }: RunFixture, sha256: string) =>
        void store.db().prepare('UPDATE run_results SET content = ? WHERE sha256 = ?').run(Buffer.from('x'), sha256),
    },
    {
      size: 'large',
      text: 'precious'.repeat(MAX_IN_ROW),
      damage: ({ dataDir }: RunFixture, sha256: string) =>
        writeFile(join(dataDir, 'blobs', 'workflows', sha256.slice(0, 2), sha256), 'precioux'),
    },
  ];
  test.each(damages)('is an error when its $size bytes are damaged', async ({ text, damage }) => {
    const { fixture, views, ref } = await made(text);
    await using _fixture = fixture;
    const { outputs } = (await views.runStep(ref, { nodeId: 'a', outputOffset: 0 })).view;
    const { sha256, resultId } = outputs[0] as (typeof outputs)[number];
    await damage(fixture, sha256);
    const looks = [
      views.output(ref, { nodeId: 'a', offset: 0 }),
      views.outputAs(ref, { nodeId: 'a', resultId, format: 'raw' }),
      views.runStep(ref, { nodeId: 'a', outputOffset: 0 }),
    ];
    for (const look of looks) await expect(look).rejects.toThrow(/damaged/);
  });

  test('is an error when its bytes are missing', async () => {
    const { fixture, views, ref } = await made('precious'.repeat(MAX_IN_ROW));
    await using _fixture = fixture;
    await rm(join(fixture.dataDir, 'blobs', 'workflows'), { recursive: true });
    await expect(views.output(ref, { nodeId: 'a', offset: 0 })).rejects.toThrow(/gone/);
  });

  test('is written in the transaction of its step when small, and to a file when large', async () => {
    for (const [size, files] of [
      [MAX_IN_ROW, 0],
      [MAX_IN_ROW + 1, 1],
    ] as const) {
      const { fixture, views, ref } = await made('x'.repeat(size));
      await using _fixture = fixture;
      const found = await readdir(join(fixture.dataDir, 'blobs', 'workflows'), { recursive: true }).catch(() => []);
      expect(found.filter((name) => name.length > 64)).toHaveLength(files);
      const { view } = await views.output(ref, { nodeId: 'a', offset: 0 });
      expect(view).toMatchObject({ kind: 'text', text: { bytes: size } });
    }
  });

  test('is listed in an index when there are several', async () => {
    await using fixture = await runFixture();
    const two = nodeWith('a', {
      outputs: [
        { name: 'result', type: 'text' },
        { name: 'facts', type: 'json' },
      ],
    });
    fixture.steps.script(() => ({ text: 'Words.\n```json\n{"result": "Done", "facts": {"n": 1}}\n```' }));
    const { runId } = await fixture.started({ ...headWith(), nodes: [two], edges: [] });
    const { view } = await viewsOf(fixture).output({ sessionId: ROOT, runId }, { nodeId: 'a', offset: 0 });
    expect(view).toMatchObject({ kind: 'index', total: 2 });
  });
});

describe('following a run', () => {
  async function next<Item>(updates: AsyncIterator<Item>, fixture: RunFixture): Promise<Item | undefined> {
    const coming = updates.next();
    for (let turn = 0; turn < 4; turn += 1) {
      await fixture.runs.settled();
      await fixture.ambient.advance(50);
    }
    const { done, value } = await coming;
    return done ? undefined : value;
  }

  const follow = (views: Views, runId: string, after: number, signal = new AbortController().signal) =>
    views.follow({ sessionId: ROOT, runId }, { after, signal })?.[Symbol.asyncIterator]();

  test('streams changes, waits, and ends with the run', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a', 'b'));
    const updates = follow(viewsOf(fixture), runId, 0);
    if (!updates) throw new Error('nothing to follow');
    const first = await next(updates, fixture);
    expect(first).toMatchObject({ fromSeq: 0, total: 2, terminated: 0, resync: null });
    expect(first?.steps.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['b', 'blocked'],
      ['a', 'running'],
    ]);
    const coming = next(updates, fixture);
    fixture.steps.release('a');
    const second = await coming;
    expect(second?.fromSeq).toBe(first?.base.lastSeq);
    expect(second?.steps.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['a', 'succeeded'],
      ['b', 'running'],
    ]);
    fixture.steps.release('b');
    await fixture.runs.settled();
    expect(await next(updates, fixture)).toMatchObject({ base: { status: 'succeeded' }, terminated: 2 });
    expect(await next(updates, fixture)).toBeUndefined();
  });

  test('ends at once for a reader at the end of a finished run', async () => {
    await using fixture = await runFixture();
    const { runId } = await fixture.started(stepChain('a'));
    const views = viewsOf(fixture);
    const { lastSeq } = fixture.row(runId);
    expect(follow(views, runId, lastSeq)).toBeUndefined();
    const behind = follow(views, runId, lastSeq - 1);
    if (!behind) throw new Error('nothing to follow');
    expect(await next(behind, fixture)).toMatchObject({ base: { lastSeq }, resync: null });
    expect(await next(behind, fixture)).toBeUndefined();
  });

  test('asks a reader that is ahead or too far behind to reload', async () => {
    await using fixture = await runFixture();
    const graph = graphOfWidth({ steps: 120, edges: 100, width: 20, phases: 1 });
    const { runId } = await fixture.runs.start(fixture.approved(graph));
    await fixture.runs.settled();
    const views = viewsOf(fixture);
    const behind = follow(views, runId, 0);
    const ahead = follow(views, runId, 1_000_000);
    if (!behind || !ahead) throw new Error('nothing to follow');
    expect(await next(behind, fixture)).toMatchObject({ resync: 'too_many_changes', steps: [] });
    expect(await next(ahead, fixture)).toMatchObject({ resync: 'cursor_ahead', steps: [] });
  });

  test('sends a slow reader all changes at once', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a', 'b', 'c'));
    const updates = follow(viewsOf(fixture), runId, 0);
    if (!updates) throw new Error('nothing to follow');
    await next(updates, fixture);
    for (const nodeId of ['a', 'b', 'c']) {
      fixture.steps.release(nodeId);
      await fixture.runs.settled();
    }
    const update = await next(updates, fixture);
    expect(update?.steps.map(({ nodeId, state }) => [nodeId, state])).toEqual([
      ['a', 'succeeded'],
      ['b', 'succeeded'],
      ['c', 'succeeded'],
    ]);
    expect(update?.base.status).toBe('succeeded');
  });

  test('releases a reader that leaves', async () => {
    await using fixture = await runFixture();
    fixture.steps.script(() => 'hold');
    const { runId } = await fixture.started(stepChain('a'));
    const leaves = new AbortController();
    const updates = follow(viewsOf(fixture), runId, fixture.row(runId).lastSeq, leaves.signal);
    if (!updates) throw new Error('nothing to follow');
    const coming = updates.next();
    leaves.abort();
    expect((await coming).done).toBe(true);
  });
});
