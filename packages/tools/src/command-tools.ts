import { access, constants } from 'node:fs/promises';
import {
  capturedText,
  type ProcessOutcome,
  runProcess,
  type Tool,
  type ToolContext,
  type ToolResult,
} from '@fucina/shared';
import * as z from 'zod';
import { cutMiddle } from './cut.ts';
import { COMMAND_MS, MAX_COMMAND_SECONDS, RESULT_CHARS } from './limits.ts';
import { createLiveOutput } from './live-output.ts';
import type { ToolsNeeds } from './needs.ts';
import { failure } from './place.ts';
import { plainOutput } from './terminal-text.ts';

const shellInput = z.strictObject({
  comando: z.string().min(1).max(100_000),
  descrizione: z.string().max(300).optional().describe('what it does, in a few words'),
  secondi: z.int().min(1).max(MAX_COMMAND_SECONDS).optional().describe('time limit, default 120'),
});
type ShellInput = z.infer<typeof shellInput>;

export function createShellTool(needs: ToolsNeeds): Tool<ShellInput> {
  return {
    name: 'shell',
    description:
      'Run a bash command line in the session folder, no terminal, no input. Stops after 120 s (secondi: up to 600); what it ' +
      'leaves in the background ends with it. At most 4,000 characters of output come back.',
    category: 'base',
    effect: 'process',
    gate: 'shell',
    input: shellInput,
    action: ({ comando, descrizione, secondi }) => ({
      tipo: 'shell',
      comando,
      ...(descrizione === undefined ? {} : { descrizione }),
      ...(secondi === undefined ? {} : { secondi }),
    }),
    run: ({ comando, secondi }, context) =>
      runCommand(needs, { command: comando, timeoutMs: secondi === undefined ? COMMAND_MS : secondi * 1000 }, context),
  };
}

export function createTestTool(needs: ToolsNeeds): Tool<Record<string, never>> {
  return {
    name: 'prova',
    description: "Run the session's test command (120 s) and get its exit code and output. Use it to prove the work.",
    category: 'base',
    effect: 'process',
    gate: 'prova',
    input: z.strictObject({}),
    action: (_input, { testCommand }) => ({ tipo: 'prova', ...(testCommand === null ? {} : { comando: testCommand }) }),
    async run(_input, context) {
      const command = context.testCommand;
      if (command === null) {
        return failure(
          'No test command is known for this folder. Run the right one with shell, or say how to test by hand.',
        );
      }
      return runCommand(needs, { command, timeoutMs: COMMAND_MS }, context);
    },
  };
}

interface Command {
  command: string;
  timeoutMs: number;
}

async function runCommand(
  needs: ToolsNeeds,
  { command, timeoutMs }: Command,
  context: ToolContext,
): Promise<ToolResult> {
  const live = createLiveOutput(needs.ambient, context.progress);
  const outcome = await runProcess({
    ambient: needs.ambient,
    environment: needs.environment,
    extraEnvironment: NO_TERMINAL,
    argv: await shellOf(command),
    cwd: context.folder,
    timeoutMs,
    signal: context.signal,
    onText: live.write,
  });
  live.end();
  const stdout = plainOutput(capturedText(outcome.stdout));
  const stderr = plainOutput(capturedText(outcome.stderr));
  return {
    content: [heading(outcome, timeoutMs), ...streams(stdout, stderr)].join('\n'),
    ...(outcome.ending === 'exit' && outcome.exitCode === 0 ? {} : { isError: true }),
    command: {
      command,
      cwd: context.folder,
      stdout: cutMiddle(stdout).text,
      stderr: cutMiddle(stderr).text,
      exitCode: outcome.exitCode,
      durationMs: outcome.durationMs,
      enforcement: 'none',
    },
  };
}

/** Programs then print plain text and do not wait for a person. */
const NO_TERMINAL = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
};

async function shellOf(command: string): Promise<readonly [string, ...string[]]> {
  if (process.platform === 'win32') return ['cmd.exe', '/d', '/s', '/c', command];
  const hasBash = await access('/bin/bash', constants.X_OK).then(
    () => true,
    () => false,
  );
  return hasBash ? ['/bin/bash', '--noprofile', '--norc', '-c', command] : ['/bin/sh', '-c', command];
}

function heading({ ending, exitCode, signal, problem, durationMs }: ProcessOutcome, timeoutMs: number): string {
  const seconds = (durationMs / 1000).toFixed(1);
  switch (ending) {
    case 'not-started':
      return `The command could not be started (${problem ?? 'unknown'}).`;
    case 'timeout':
      return `Stopped: it did not end within ${timeoutMs / 1000} s. Its output so far:`;
    case 'stopped':
    case 'output-limit':
      return `Stopped after ${seconds} s. Its output so far:`;
    case 'exit':
      return exitCode === null
        ? `Ended by ${signal ?? 'a signal'} after ${seconds} s.`
        : `Exit code ${exitCode} (${seconds} s).`;
  }
}

/** Both streams within the limit; a stream that needs less leaves the rest to the other. */
function streams(stdout: string, stderr: string): string[] {
  const room = RESULT_CHARS - 200;
  const errorRoom = Math.max(Math.min(stderr.length, Math.floor(room / 3)), room - stdout.length);
  const parts: string[] = [];
  if (stdout.trim() !== '') parts.push(cutMiddle(stdout.trimEnd(), room - Math.min(stderr.length, errorRoom)).text);
  if (stderr.trim() !== '') parts.push(`stderr:\n${cutMiddle(stderr.trimEnd(), errorRoom).text}`);
  return parts.length > 0 ? parts : ['(no output)'];
}
