import type { Services } from '@fucina/host';
import { AppError, isAppError } from '@fucina/shared';
import { readyLocalModel } from '../../local-model.ts';
import type { BusyInput, Message } from '../workbench.ts';
import type { Place } from './place.ts';

interface Saying {
  services: Services;
  message: Message;
}

/** The first words: the session begins with them. */
export async function begin(place: Place, { services, message, dir }: Saying & { dir: string }): Promise<void> {
  const { model, effort, level, mode } = place.choice;
  const { leaving } = place;
  if (model) services.providers.warm(model).catch(() => undefined); // the call itself will say
  await readyLocalModel(model, services);
  const { sessionId } = await services.startSession({
    folder: dir,
    message: message.text,
    images: message.images,
    ...(model && { model }),
    ...(effort && { reasoning: { effort } }),
    ...(level !== 'Research' && { permissions: level }),
    mode,
  });
  if (!leaving.signal.aborted) place.sessionId = sessionId;
}

export async function sayMore(
  sessionId: string,
  { services, message, how, place }: Saying & { how: BusyInput; place: Place },
): Promise<void> {
  const { turns, read } = services.sessions;
  const words = { message: message.text, images: message.images };
  const { isConcluded, isInterrupted } = await read(sessionId);
  if (isConcluded || isInterrupted) {
    await turns.settled(sessionId);
    await readyLocalModel(place.choice.model, services);
    await turns.resume(sessionId, words);
    return;
  }
  if (how === 'queue') return queue(sessionId, { services, message, how, place });
  assertHere(services, sessionId);
  if (how === 'steer') return void (await turns.redirect(sessionId, words));
  await turns.stop(sessionId);
  await turns.settled(sessionId);
  await turns.resume(sessionId, words);
}

export function assertHere({ sessions }: Services, sessionId: string): void {
  if (!sessions.turns.runsHere(sessionId)) throw new AppError('SESSION_STORE_BUSY');
}

/** A turn that ended meanwhile takes nothing in its queue any more: the words are the next turn's. */
async function queue(sessionId: string, saying: Saying & { how: BusyInput; place: Place }): Promise<void> {
  const { services, message } = saying;
  const { turns, read } = services.sessions;
  try {
    await turns.queue(sessionId, { message: message.text, images: message.images });
  } catch (error) {
    if (!isAppError(error, 'SESSION_NOT_READY') || !(await read(sessionId)).isConcluded) throw error;
    await sayMore(sessionId, saying);
  }
}
