import type { Terminal } from '../../terminal.ts';
import type { SetupReporter } from '../../worktree-setup.ts';
import type { ConversationState } from './conversation-state.ts';

const LAST_LINES = 20;

/** The set-up of a worktree as notices: what runs, and its last lines when it failed. */
export function noticeReporter(
  { terminal, changed }: { terminal: Pick<Terminal, 'say'>; changed(): void },
  { reader }: Pick<ConversationState, 'reader'>,
): SetupReporter {
  let output = '';
  return {
    write(text) {
      output = (output + text)
        .split('\n')
        .slice(-LAST_LINES - 1)
        .join('\n');
    },
    report(key, params) {
      const isFailed = key === 'worktrees.setup-failed';
      const title = terminal.say(key, params);
      const body = isFailed
        ? output
            .trimEnd()
            .split('\n')
            .map((line) => `    ${line}`)
            .join('\n')
        : '';
      reader.notify({ title, tone: isFailed ? 'warning' : 'info', body });
      changed();
    },
  };
}
