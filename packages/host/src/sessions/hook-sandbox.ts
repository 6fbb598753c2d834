import type { HookSandbox } from '@fucina/git';
import type { Commands } from '@fucina/tools';

/** Hooks of git run like the setup script of a worktree: as commands, with nobody to ask. */
export function hookSandbox(commands: () => Promise<Pick<Commands, 'runScript' | 'sandboxState'>>): HookSandbox {
  return {
    async run(hook) {
      const { runScript, sandboxState } = await commands();
      if (!(await sandboxState()).isWorking) return undefined;
      const { exitCode, problem, refused } = await runScript(hook);
      if (problem !== undefined) hook.onText(`${problem}\n`);
      return { exitCode, refused: refused.map(({ kind, subject, rule }) => ({ kind, subject, rule })) };
    },
  };
}
