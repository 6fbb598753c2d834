import type { useWords } from '../../words/words.ts';

type Say = ReturnType<typeof useWords>['say'];

/** The result of an operation, with the hooks that it left out. */
export const withHooks = (say: Say, text: string, hooks: readonly string[] | undefined): string =>
  hooks === undefined ? text : `${text} ${say('git.hooksNotRun', { names: hooks.join(', ') })}`;
