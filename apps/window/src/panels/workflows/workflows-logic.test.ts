import { describe, expect, test } from '@jest/globals';
import type { Budgets, ProposalRow, RunRow } from '../../wire/workflows.ts';
import { changesIn, draftOf } from './amounts.ts';
import { placeGraph } from './graph-layout.ts';
import { latestOf, latestVersions, standingOf } from './standing.ts';

const budgets: Budgets = {
  promptTokens: 1_000,
  completionTokens: null,
  wallMs: 90_000,
  modelRequests: 20,
  toolCalls: 40,
  knownCostUsd: 2.5,
};

describe('the form of budgets', () => {
  test('shows minutes, and nothing where there is no bound; untouched it changes nothing', () => {
    const draft = draftOf(budgets);
    expect(draft).toMatchObject({ wallMs: '1.5', completionTokens: '', knownCostUsd: '2.5' });
    expect(changesIn(draft, budgets)).toEqual({});
  });

  test('asks for what differs alone', () => {
    const draft = { ...draftOf(budgets), wallMs: '2', knownCostUsd: '', completionTokens: ' 500 ' };
    expect(changesIn(draft, budgets)).toEqual({ wallMs: 120_000, knownCostUsd: null, completionTokens: 500 });
    expect(changesIn({ ...draftOf(budgets), knownCostUsd: '2,5' }, budgets)).toEqual({});
  });

  test.each([
    ['modelRequests', '0'],
    ['modelRequests', '1.5'],
    ['modelRequests', ''],
    ['promptTokens', 'many'],
    ['knownCostUsd', '0'],
    ['knownCostUsd', '-1'],
    ['wallMs', ''],
  ])('takes no amount that is none: %s %s', (key, text) => {
    expect(changesIn({ ...draftOf(budgets), [key]: text }, budgets)).toBe('bad');
  });
});

describe('how a proposal stands', () => {
  const row = (workflowId: string, version: number, status: ProposalRow['status'] = 'proposed'): ProposalRow => ({
    workflowId,
    version,
    status,
    definitionHash: '',
    title: '',
    createdAt: '',
  });
  const rows = [row('a', 2), row('b', 1), row('a', 1, 'approved')];

  test('the latest version of each is listed, the newest first', () => {
    expect(latestVersions(rows)).toEqual([rows[0], rows[1]]);
    expect(latestOf(rows, 'a')).toBe(2);
    expect(latestOf([], 'a')).toBe(0);
  });

  test('a run of it counts more than a later version, and that more than an approval', () => {
    const runs = [{ workflowId: 'a', version: 1 } as RunRow];
    expect(standingOf(row('a', 1, 'approved'), 2, runs)).toBe('started');
    expect(standingOf(row('a', 1, 'approved'), 2, [])).toBe('superseded');
    expect(standingOf(row('a', 2), 2, runs)).toBe('proposed');
  });
});

describe('the places of a graph', () => {
  const phases = [
    { id: 'one', steps: ['a', 'b'] },
    { id: 'two', steps: undefined },
    { id: 'three', steps: ['c'] },
  ];
  const drawn = placeGraph(
    phases,
    [
      ['one', 'two'],
      ['two', 'three'],
    ],
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
  );

  test('what leads to something is left of it, inside a phase and among phases', () => {
    const x = (id: string) => drawn.steps.get(id)?.x ?? Number.NaN;
    expect(x('a')).toBeLessThan(x('b'));
    expect(x('b')).toBeLessThan(x('c'));
    expect(drawn.phases.get('two')?.x).toBeLessThan(drawn.phases.get('three')?.x ?? 0);
  });

  test('steps are inside their phase, and a folded phase has none', () => {
    for (const { id, steps = [] } of phases) {
      const box = drawn.phases.get(id);
      for (const step of steps) {
        const inner = drawn.steps.get(step);
        expect(inner && box && inner.x >= box.x && inner.x + inner.width <= box.x + box.width).toBe(true);
        expect(inner && box && inner.y > box.y && inner.y + inner.height <= box.y + box.height).toBe(true);
      }
    }
    expect([...drawn.steps.keys()]).toEqual(['a', 'b', 'c']);
  });

  test('an edge that leads back does not keep it from being drawn', () => {
    const circle = placeGraph(
      [{ id: 'p', steps: ['a', 'b'] }],
      [['p', 'p']],
      [
        ['a', 'b'],
        ['b', 'a'],
      ],
    );
    expect(circle.steps.size).toBe(2);
  });
});
