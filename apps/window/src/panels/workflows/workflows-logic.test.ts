import { describe, expect, test } from '@jest/globals';
import type { Budgets, ProposalRow, RunRow } from '../../wire/workflows.ts';
import { changesIn, draftOf } from './amounts.ts';
import { placeGraph } from './graph-layout.ts';
import { latestOf, latestVersions, proposalStateOf } from './proposal-state.ts';

const budgets: Budgets = {
  promptTokens: 1_000,
  completionTokens: null,
  wallMs: 90_000,
  modelRequests: 20,
  toolCalls: 40,
  knownCostUsd: 2.5,
};

describe('the budget form', () => {
  test('shows minutes, leaves unlimited fields empty, and changes nothing when untouched', () => {
    const draft = draftOf(budgets);
    expect(draft).toMatchObject({ wallMs: '1.5', completionTokens: '', knownCostUsd: '2.5' });
    expect(changesIn(draft, budgets)).toEqual({});
  });

  test('sends only changed fields', () => {
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
  ])('rejects an invalid number: %s %s', (key, text) => {
    expect(changesIn({ ...draftOf(budgets), [key]: text }, budgets)).toBe('bad');
  });
});

describe('the state of a proposal', () => {
  const row = (workflowId: string, version: number, status: ProposalRow['status'] = 'proposed'): ProposalRow => ({
    workflowId,
    version,
    status,
    definitionHash: '',
    title: '',
    createdAt: '',
  });
  const rows = [row('a', 2), row('b', 1), row('a', 1, 'approved')];

  test('lists the latest version of each workflow, newest first', () => {
    expect(latestVersions(rows)).toEqual([rows[0], rows[1]]);
    expect(latestOf(rows, 'a')).toBe(2);
    expect(latestOf([], 'a')).toBe(0);
  });

  test('prefers a run to a later version, and a later version to an approval', () => {
    const runs = [{ workflowId: 'a', version: 1 } as RunRow];
    expect(proposalStateOf(row('a', 1, 'approved'), 2, runs)).toBe('started');
    expect(proposalStateOf(row('a', 1, 'approved'), 2, [])).toBe('superseded');
    expect(proposalStateOf(row('a', 2), 2, runs)).toBe('proposed');
  });
});

describe('the graph layout', () => {
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

  test('places predecessors to the left, within and between phases', () => {
    const x = (id: string) => drawn.steps.get(id)?.x ?? Number.NaN;
    expect(x('a')).toBeLessThan(x('b'));
    expect(x('b')).toBeLessThan(x('c'));
    expect(drawn.phases.get('two')?.x).toBeLessThan(drawn.phases.get('three')?.x ?? 0);
  });

  test('places steps inside their phase, and none in a collapsed phase', () => {
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

  test('draws a graph with a back edge', () => {
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
