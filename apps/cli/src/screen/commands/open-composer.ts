import { type Composer, type ComposerNeeds, createComposer } from '../input/composer.ts';
import type { Workbench } from '../workbench.ts';
import { createCandidates } from './candidates.ts';
import { send } from './send.ts';

export type OpenComposerNeeds = Omit<ComposerNeeds, 'send' | 'sendNothing' | 'candidates'>;

/** The composer with its dependencies: input goes to a command, the shell or the agent. */
export function openComposer(needs: OpenComposerNeeds): Composer {
  const { workbench, terminal } = needs;
  let opened: Workbench | undefined;
  void workbench.then(
    (found) => (opened = found),
    () => undefined, // the caller reports it
  );
  const composer: Composer = createComposer({
    ...needs,
    send: (draft, how) =>
      void workbench.then(
        (found) => send(draft, how, { workbench: found, restore: (text) => composer.restore(text) }),
        () => undefined, // the caller reports it
      ),
    sendNothing: () => opened?.conversation.tryNow() ?? false,
    candidates: createCandidates({ say: terminal.say, workbench, isOpen: () => opened !== undefined }),
  });
  return composer;
}
