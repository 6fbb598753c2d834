import { cleanLine } from '../../clean-text.ts';
import type { Workbench } from '../workbench.ts';

const WIDTH = 100;
const ACTS = ['conversation', 'both', 'files'] as const;
type Act = (typeof ACTS)[number];

interface Place {
  sessionId: string;
  /** By which the message is named. */
  reference: string;
  text: string;
  /** The message before it. */
  previous: string | undefined;
}

/** Goes back to before a message: the conversation in a branch, with the message in the composer; the files; or both. */
export function rewind(workbench: Workbench): void {
  const { terminal, tell, pick, conversation } = workbench;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: terminal.say('no-conversation') });
  pick({
    title: terminal.say('picker.rewind'),
    rows: messageRows(workbench, sessionId),
    choose: (place) =>
      pick({
        title: terminal.say('rewind.title'),
        rows: Promise.resolve(ACTS.map((value) => ({ value, label: terminal.say(`rewind.${value}`) }))),
        choose: (act) => goBack(workbench, place, act),
      }),
  });
}

async function messageRows({ services }: Workbench, sessionId: string) {
  const messages = await services.sessions.branches.messages(sessionId);
  return messages
    .map(({ reference, text }, at) => ({
      value: { sessionId, reference, text, previous: messages[at - 1]?.reference },
      label: cleanLine(text, WIDTH),
    }))
    .reverse();
}

async function goBack(
  { services, conversation, compose, terminal, tell }: Workbench,
  { sessionId, reference, text, previous }: Place,
  act: Act,
): Promise<void> {
  const { branches } = services.sessions;
  const skipped = act === 'conversation' ? [] : (await branches.restore(sessionId, reference)).skipped;
  if (act === 'files') return;
  if (previous === undefined) await conversation.leave();
  else await conversation.open((await branches.create(sessionId, { after: previous })).sessionId);
  compose(text);
  // The original conversation says so too, but is no longer on the screen.
  if (skipped.length > 0)
    tell({ tone: 'warning', body: terminal.say('rewind.skipped', { files: skipped.join(', ') }) });
}
