import { describe, expect, test } from '@jest/globals';
import { assertCommandAllowed, nextRunState, RUN_STATES, type RunCommand, type RunFact } from './run-state.ts';
import { assertStepMove, isTerminal, rankOf, STEP_STATES } from './steps/step-state.ts';

const COMMANDS: readonly RunCommand[] = ['pause', 'resume', 'cancel', 'retry'];
const flags = { isPauseRequested: false, isCancelRequested: false, hasFailedSteps: true };

describe('run states', () => {
  test('allow these commands, and none after a cancel', () => {
    const allows = (changes: object) =>
      Object.fromEntries(
        RUN_STATES.map((status) => [
          status,
          COMMANDS.filter((command) => {
            try {
              assertCommandAllowed(command, { status, ...flags, ...changes });
              return true;
            } catch {
              // The refusal is the expected result.
              return false;
            }
          }),
        ]),
      );
    expect(allows({})).toEqual({
      created: ['cancel'],
      running: ['pause', 'cancel'],
      paused: ['resume', 'cancel'],
      needs_attention: ['cancel', 'retry'],
      succeeded: [],
      failed: ['retry'],
      cancelled: [],
    });
    expect(allows({ hasFailedSteps: false })).toMatchObject({ needs_attention: ['cancel'], failed: [] });
    expect(allows({ isPauseRequested: true })).toMatchObject({ running: ['cancel'] });
    expect(Object.values(allows({ isCancelRequested: true })).flat()).toEqual([]);
  });

  test('are final except for a retry after failure', () => {
    const facts: (RunFact | 'resume' | 'retry')[] = [
      'start',
      'rest',
      'attention',
      'succeed',
      'fail',
      'settle-cancel',
      'resume',
      'retry',
    ];
    const leads = (status: (typeof RUN_STATES)[number]) =>
      facts.filter((fact) => {
        try {
          return nextRunState(status, fact) !== undefined;
        } catch {
          // No such transition.
          return false;
        }
      });
    expect([leads('succeeded'), leads('cancelled'), leads('failed')]).toEqual([[], [], ['retry']]);
  });
});

describe('step states', () => {
  test('restart a finished step only through a retry', () => {
    for (const from of STEP_STATES.filter(isTerminal)) {
      for (const to of ['leased', 'running', 'succeeded', 'failed'] as const) {
        expect(() => assertStepMove(from, to)).toThrow();
      }
    }
  });

  test('sort attention first and success last', () => {
    const sorted = [...STEP_STATES].sort((a, b) => rankOf(a) - rankOf(b));
    expect(sorted[0]).toBe('uncertain');
    expect(sorted.at(-1)).toBe('succeeded');
  });
});
