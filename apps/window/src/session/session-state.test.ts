import { describe, expect, test } from '@jest/globals';
import type { SessionRow } from '../wire/records.ts';
import { groupByParent, groupByProject, isLive, stateOf } from './session-state.ts';

const row = (part: Partial<SessionRow>): SessionRow =>
  ({
    sessionId: 's',
    progetto: null,
    conclusa: true,
    interrotta: false,
    inAttesaApprovazione: false,
    inAttesaDomanda: false,
    inAttesaPiano: false,
    motivoChiusura: null,
    usageSessione: null,
    ...part,
  }) as SessionRow;

describe('stateOf', () => {
  test.each([
    [{ conclusa: false }, 'running'],
    [{ conclusa: false, inAttesaApprovazione: true }, 'waiting'],
    [{ conclusa: false, inAttesaDomanda: true }, 'waiting'],
    [{ conclusa: false, inAttesaPiano: true }, 'waiting'],
    [{ conclusa: false, interrotta: true }, 'interrupted'],
    [{ motivoChiusura: 'fine-lavoro' }, 'done'],
    [{ motivoChiusura: 'giri-finiti' }, 'exhausted'],
    [{ motivoChiusura: 'fermata' }, 'stopped'],
    [{ motivoChiusura: 'errore' }, 'failed'],
    [{ motivoChiusura: null }, 'unrecorded'],
    [{ motivoChiusura: 'something-new' }, 'unrecorded'],
  ] as [Partial<SessionRow>, string][])('reads %j as %s', (part, state) => {
    expect(stateOf(row(part))).toBe(state);
  });

  test('is live until the turn ends or is interrupted', () => {
    expect([row({ conclusa: false }), row({}), row({ conclusa: false, interrotta: true })].map(isLive)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('byProject', () => {
  test('sorts projects by last use and keeps the order within each', () => {
    const rows = [
      row({ sessionId: '1', progetto: 'b' }),
      row({ sessionId: '2' }),
      row({ sessionId: '3', progetto: 'a' }),
      row({ sessionId: '4', progetto: 'b' }),
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
    const usage = { prompt_tokens: 10, completion_tokens: 2 } as SessionRow['usageSessione'];
    const [group] = groupByProject([row({ usageSessione: usage }), row({ usageSessione: null })], 'Other');
    expect(group?.tokens).toBe(12);
  });
});

describe('byParent', () => {
  test('lists sub-agents oldest first, and only running workflow steps', () => {
    const step = { padreId: 'root', passoWorkflow: { runId: 'r', nodeId: 'n' } };
    const rows = [
      row({ sessionId: '5', ...step }),
      row({ sessionId: '4', ...step, inAttesaDomanda: true }),
      row({ sessionId: '3', ...step, conclusa: false }),
      row({ sessionId: '2', padreId: 'root', passoWorkflow: null }),
      row({ sessionId: 'root', padreId: null }),
    ];
    expect(
      groupByParent(rows)
        .get('root')
        ?.map(({ sessionId }) => sessionId),
    ).toEqual(['2', '3', '4']);
  });
});
