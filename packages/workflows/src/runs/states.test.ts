import { describe, expect, test } from '@jest/globals';
import { assertAllowed, nextRunState, RUN_STATES, type RunCommand, type RunFact } from './run-state.ts';
import { assertStepMove, isTerminal, rankOf, STEP_STATES } from './steps/step-state.ts';

const COMMANDS: readonly RunCommand[] = ['pause', 'resume', 'cancel', 'retry'];
const flags = { isPauseRequested: false, isCancelRequested: false, hasFailedSteps: true };

describe('runs', () => {
  test('every state allows these commands, and nothing once a cancel was asked for', () => {
    const allows = (changes: object) =>
      Object.fromEntries(
        RUN_STATES.map((status) => [
          status,
          COMMANDS.filter((command) => {
            try {
              assertAllowed(command, { status, ...flags, ...changes });
              return true;
            } catch {
              // A refusal is the answer.
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

  test('nothing leads out of what is over but a retry of what failed', () => {
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
          // No such move.
          return false;
        }
      });
    expect([leads('succeeded'), leads('cancelled'), leads('failed')]).toEqual([[], [], ['retry']]);
  });
});

describe('steps', () => {
  test('a step that is over is never begun but by a retry, which makes it ready first', () => {
    for (const from of STEP_STATES.filter(isTerminal)) {
      for (const to of ['leased', 'running', 'succeeded', 'failed'] as const) {
        expect(() => assertStepMove(from, to)).toThrow();
      }
    }
  });

  test('what asks for a look comes first, what went well last', () => {
    const sorted = [...STEP_STATES].sort((a, b) => rankOf(a) - rankOf(b));
    expect(sorted[0]).toBe('uncertain');
    expect(sorted.at(-1)).toBe('succeeded');
  });
});
