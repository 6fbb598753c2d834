import type { useWords } from '../words/words.ts';

type Say = ReturnType<typeof useWords>['say'];

export interface HooksOf {
  hooksNotRun?: string[] | undefined;
  hooksFailed?: string[] | undefined;
}

/** What to say about the hooks of an operation: those that it left out, those that failed after it. */
export function hooksNote(say: Say, { hooksNotRun: notRun, hooksFailed: failed }: HooksOf): string | undefined {
  const notes = [
    ...(notRun ? [say('git.hooksNotRun', { names: notRun.join(', ') })] : []),
    ...(failed ? [say('git.hooksFailed', { names: failed.join(', ') })] : []),
  ];
  return notes.length === 0 ? undefined : notes.join(' ');
}

/** The result of an operation, with that. */
export const withHooks = (say: Say, text: string, hooks: HooksOf): string =>
  [text, hooksNote(say, hooks)].filter(Boolean).join(' ');
