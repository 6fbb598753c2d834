import { type ChoiceFlags, choicesOf, exitOnRefusal, folderOf } from '../../choices.ts';
import type { RunProgram } from '../../command-facts.ts';
import { configWarnings, readConfig } from '../../config/config.ts';
import type { ExitCode } from '../../exit-codes.ts';
import type { Io } from '../../io.ts';
import { createTerminal } from '../../terminal.ts';
import { runScreen, type ScreenRun } from './run-screen.ts';

export interface ScreenFlags extends ChoiceFlags {
  color?: boolean;
  /** The first message. */
  message?: string | undefined;
}

/** The interactive screen, from its first frame until the terminal is restored. */
export async function startScreen(
  flags: ScreenFlags,
  { io, runProgram }: { io: Io; runProgram: RunProgram },
): Promise<ExitCode> {
  const asking = createTerminal(io, { isPlain: flags.color === false });
  try {
    const gathered = await exitOnRefusal(asking, async () => ({ ...gather(flags, io), runProgram }));
    return 'exit' in gathered ? gathered.exit : await runScreen(gathered);
  } catch (error) {
    const { reportFailure } = await import('../../failure.ts');
    return reportFailure(error, asking);
  }
}

function gather(flags: ScreenFlags, io: Io): Omit<ScreenRun, 'runProgram'> {
  const dir = folderOf(flags, io);
  const config = readConfig(io, dir);
  const isPlain = flags.color === false;
  const terminal = createTerminal(
    {
      ...io,
      env: isPlain ? { ...io.env, NO_COLOR: '1' } : io.env,
      // Log output on the terminal would overwrite the screen.
      ambient: (level) => io.ambient(io.stderr.isTTY ? 'silent' : level),
    },
    { isPlain, theme: config.theme },
  );
  return {
    config,
    choices: choicesOf(flags, config, { io, dir }),
    terminal,
    message: flags.message,
    async warnings() {
      const { ruleWarnings } = await import('../../commands/permissions.ts');
      return [...configWarnings(config, terminal.say), ...(await ruleWarnings(config, terminal))];
    },
  };
}
