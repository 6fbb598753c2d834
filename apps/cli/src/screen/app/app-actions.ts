import { actOnWorkbench } from '../commands/actions.ts';
import { copyToTerminal } from '../input/clipboard.ts';
import type { Action } from '../input/keymap.ts';
import type { ScreenContext } from './stage.ts';

/** Key actions outside the screen itself. False: not handled. */
export function appActions(stage: ScreenContext): (action: Action) => boolean {
  const acts: Partial<Record<Action, () => boolean>> = {
    interrupt() {
      void stage.conversation
        .stop()
        .then((words) => words !== undefined && stage.composer.giveBack(words))
        .catch(stage.tellFailure);
      return true;
    },
    suspend: () => stage.lending.suspend(),
    'transcript-copy': () => copyAnswer(stage),
  };
  return (action) => acts[action]?.() ?? actOnWorkbench(action, stage.workbench.promise);
}

/** Copies the source of the last answer to the clipboard of the user's terminal. */
function copyAnswer({ conversation, terminal, app }: ScreenContext): true {
  const answer = conversation.state().items.findLast((item) => item.kind === 'text' && item.text.trim() !== '');
  const text = answer?.kind === 'text' ? answer.text.trim() : undefined;
  if (text === undefined) app.flash(terminal.say('copy.nothing'));
  else app.flash(terminal.say(copyToTerminal(text, terminal.io.stdout) ? 'copy.done' : 'copy.too-long'));
  return true;
}
