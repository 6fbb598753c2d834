import type { Tool } from '@fucina/shared';
import * as z from 'zod';
import { COMMAND_MS, MAX_COMMAND_SECONDS } from '../limits.ts';
import { failure } from '../located-path.ts';
import { type ForegroundNeeds, runForModel } from './foreground.ts';

const shellInput = z.strictObject({
  comando: z.string().min(1).max(100_000),
  descrizione: z.string().max(300).optional().describe('what it does, in a few words'),
  secondi: z.int().min(1).max(MAX_COMMAND_SECONDS).optional().describe('time limit, default 120'),
  sfondo: z.boolean().optional().describe('start it in the background: servers, watchers'),
});
type ShellInput = z.infer<typeof shellInput>;

export function createShellTool(needs: ForegroundNeeds): Tool<ShellInput> {
  return {
    name: 'shell',
    description:
      'Run a bash command line in the session folder, no terminal, no input. After 120 s (secondi: up to 600) it continues in ' +
      'the background, see processi; what it starts with & ends with it.',
    category: 'base',
    effect: 'process',
    gate: 'shell',
    input: shellInput,
    action: ({ comando, descrizione, secondi, sfondo }) => ({
      tipo: 'shell',
      comando,
      ...(descrizione === undefined ? {} : { descrizione }),
      ...(secondi === undefined ? {} : { secondi }),
      ...(sfondo ? { sfondo } : {}),
    }),
    run: ({ comando, secondi, sfondo }, context) =>
      runForModel(
        needs,
        {
          command: comando,
          timeoutMs: secondi === undefined ? COMMAND_MS : secondi * 1000,
          leavesAtLimit: true,
          leavesAtOnce: sfondo ?? false,
        },
        context,
      ),
  };
}

export function createTestTool(needs: ForegroundNeeds): Tool<Record<string, never>> {
  return {
    name: 'prova',
    description:
      "Run the session's test command (120 s) and get its exit code and output. Use it to verify your changes.",
    category: 'base',
    effect: 'process',
    gate: 'prova',
    input: z.strictObject({}),
    action: (_input, { testCommand }) => ({ tipo: 'prova', ...(testCommand === null ? {} : { comando: testCommand }) }),
    async run(_input, context) {
      const command = context.testCommand;
      if (command === null) {
        return failure('No test command is known for this folder. Run the right command, or say how to test by hand.');
      }
      return runForModel(needs, { command, timeoutMs: COMMAND_MS, leavesAtLimit: false }, context);
    },
  };
}
