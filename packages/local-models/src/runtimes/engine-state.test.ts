import { expect, test } from '@jest/globals';
import { ENGINE_TRANSITIONS, type EngineCommand, type EngineState, nextEngineState } from './engine-state.ts';

const COMMANDS: EngineCommand[] = ['start', 'confirm', 'fail', 'stop', 'end'];

test('handles every command in every state', () => {
  const move = (state: EngineState, command: EngineCommand): string => {
    try {
      return nextEngineState(state, command);
    } catch (error) {
      expect(error).toMatchObject({ code: 'RUNTIME_ALREADY_RUNNING', reason: state });
      return '–';
    }
  };
  const states = Object.keys(ENGINE_TRANSITIONS) as EngineState[];
  const rows = states.map(
    (state) => `${state}: ${COMMANDS.map((command) => `${command} ${move(state, command)}`).join(', ')}`,
  );
  expect(rows).toMatchInlineSnapshot(`
[
  "unavailable: start loading, confirm –, fail –, stop –, end –",
  "loading: start –, confirm ready, fail failed, stop stopping, end –",
  "ready: start –, confirm –, fail failed, stop stopping, end –",
  "stopping: start –, confirm –, fail –, stop –, end unavailable",
  "failed: start loading, confirm –, fail –, stop stopping, end –",
]
`);
});
