import { once } from 'node:events';
import type { Services, StartRequest } from '@fucina/host';
import { AppError, isAppError } from '@fucina/shared';
import type { Choices } from '../../choices.ts';
import { readyLocalModel } from '../../local-model.ts';
import { startInFolder } from '../../session-folder.ts';
import type { SetupReporter } from '../../worktree-setup.ts';
import type { ConversationState, PendingWords } from './conversation-state.ts';

interface Saying {
  services: Services;
  words: PendingWords;
  place: ConversationState;
}

interface FirstSaying extends Saying {
  reporter: SetupReporter;
}

/** The first message: the session starts with it. */
export async function startSessionWith(choices: Pick<Choices, 'dir' | 'worktree'>, saying: FirstSaying): Promise<void> {
  const { services, place, words, reporter } = saying;
  const { text: message, images } = words.message;
  const { model } = place.choice;
  if (model) services.providers.warm(model).catch(() => undefined); // the call itself reports it
  if (!(await deliver(saying, readyLocalModel(model, services)))) return;
  await startInFolder(choices, { services, task: message, reporter }, ({ folder }) =>
    start(place, services, { folder, message, images }),
  );
}

/** A custom command before the first message: starts the session without a turn. */
export async function startWithCommand(
  place: ConversationState,
  services: Services,
  options: Pick<StartRequest, 'folder' | 'command'>,
): Promise<void> {
  await start(place, services, { ...options, message: '' });
}

async function start(place: ConversationState, { startSession }: Services, request: StartRequest): Promise<void> {
  const { leaving, choice } = place;
  const { model, effort, level, mode } = choice;
  const { sessionId } = await startSession({
    ...request,
    ...(model && { model }),
    ...(effort && { reasoning: { effort } }),
    ...(level !== 'Research' && { permissions: level }),
    mode,
  });
  if (!leaving.signal.aborted) place.sessionId = sessionId;
}

/** Waits for what the message needs; false when it was cancelled. The awaited work continues. */
async function deliver({ words, place }: Saying, ready: Promise<void>): Promise<boolean> {
  const { signal } = words.callingOff;
  if (!signal.aborted) await Promise.race([ready, once(signal, 'abort')]);
  place.onTheirWay = place.onTheirWay.filter((one) => one !== words);
  return !signal.aborted;
}

export async function sendNextMessage(sessionId: string, saying: Saying): Promise<void> {
  const { services, place } = saying;
  const { message, how } = saying.words;
  const { turns, read } = services.sessions;
  const words = { message: message.text, images: message.images };
  const { isConcluded, isInterrupted } = await read(sessionId);
  if (isConcluded || isInterrupted) {
    const ready = turns.settled(sessionId).then(() => readyLocalModel(place.choice.model, services));
    if (await deliver(saying, ready)) await turns.resume(sessionId, words);
    return;
  }
  if (!(await deliver(saying, Promise.resolve()))) return;
  if (how === 'queue') return queue(sessionId, saying);
  assertRunsHere(services, sessionId);
  if (how === 'steer') return void (await turns.redirect(sessionId, words));
  await turns.stop(sessionId);
  await turns.settled(sessionId);
  await turns.resume(sessionId, words);
}

export function assertRunsHere({ sessions }: Services, sessionId: string): void {
  if (!sessions.turns.runsHere(sessionId)) throw new AppError('SESSION_STORE_BUSY');
}

/** A turn that ended in the meantime no longer takes from its queue: the message becomes the next turn. */
async function queue(sessionId: string, saying: Saying): Promise<void> {
  const { services, words } = saying;
  const { message } = words;
  const { turns, read } = services.sessions;
  try {
    await turns.queue(sessionId, { message: message.text, images: message.images });
  } catch (error) {
    if (!isAppError(error, 'SESSION_NOT_READY') || !(await read(sessionId)).isConcluded) throw error;
    await sendNextMessage(sessionId, saying);
  }
}
