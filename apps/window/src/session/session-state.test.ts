import { describe, expect, test } from '@jest/globals';
import type { SessionRow } from '../wire/records.ts';
import { groupByParent, groupByProject, isLive, stateOf } from './session-state.ts';

const row = (part: Partial<SessionRow>): SessionRow =>
  ({
    sessionId: 's',
    project: null,
    isConcluded: true,
    isInterrupted: false,
    waitsForApproval: false,
    waitsForQuestion: false,
    waitsForPlan: false,
    closingReason: null,
    sessionUsage: null,
    ...part,
  }) as SessionRow;

describe('stateOf', () => {
  test.each([
    [{ isConcluded: false }, 'running'],
    [{ isConcluded: false, waitsForApproval: true }, 'waiting'],
    [{ isConcluded: false, waitsForQuestion: true }, 'waiting'],
    [{ isConcluded: false, waitsForPlan: true }, 'waiting'],
    [{ isConcluded: false, isInterrupted: true }, 'interrupted'],
    [{ closingReason: 'finished' }, 'done'],
    [{ closingReason: 'step-limit' }, 'exhausted'],
    [{ closingReason: 'stopped' }, 'stopped'],
    [{ closingReason: 'error' }, 'failed'],
    [{ closingReason: null }, 'unrecorded'],
    [{ closingReason: 'something-new' }, 'unrecorded'],
  ] as [Partial<SessionRow>, string][])('reads %j as %s', (part, state) => {
    expect(stateOf(row(part))).toBe(state);
  });

  test('is live until the turn ends or is interrupted', () => {
    expect(
      [row({ isConcluded: false }), row({}), row({ isConcluded: false, isInterrupted: true })].map(isLive),
    ).toEqual([true, false, false]);
  });
});

describe('byProject', () => {
  test('sorts projects by last use and keeps the order within each', () => {
    const rows = [
      row({ sessionId: '1', project: 'b' }),
      row({ sessionId: '2' }),
      row({ sessionId: '3', project: 'a' }),
      row({ sessionId: '4', project: 'b' }),
    ];
    const groups = groupByProject(rows, 'Other').map(({ name, rows: members }) => [
      name,
      members.map((m) => m.sessionId),
    ]);
    expect(groups).toEqual([
      ['b', ['1', '4']],
      ['Other', ['2']],
      ['a', ['3']],
    ]);
  });

  test('adds up the usage of its sessions and counts missing values as zero', () => {
    const usage = { prompt_tokens: 10, completion_tokens: 2 } as SessionRow['sessionUsage'];
    const [group] = groupByProject([row({ sessionUsage: usage }), row({ sessionUsage: null })], 'Other');
    expect(group?.tokens).toBe(12);
  });
});

describe('byParent', () => {
  test('lists sub-agents oldest first, and only running workflow steps', () => {
    const step = { parentId: 'root', workflowStep: { runId: 'r', nodeId: 'n' } };
    const rows = [
      row({ sessionId: '5', ...step }),
      row({ sessionId: '4', ...step, waitsForQuestion: true }),
      row({ sessionId: '3', ...step, isConcluded: false }),
      row({ sessionId: '2', parentId: 'root', workflowStep: null }),
      row({ sessionId: 'root', parentId: null }),
    ];
    expect(
      groupByParent(rows)
        .get('root')
        ?.map(({ sessionId }) => sessionId),
    ).toEqual(['2', '3', '4']);
  });
});
