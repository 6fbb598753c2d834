import type { AgUiRun } from '@fucina/host';
import type { SessionEvent } from '@fucina/shared';
import type { Language } from '@fucina/shared/sentences';
import type { Frame } from '../../http/answers.ts';
import type { AgUiEvent } from './event.ts';
import { type AgUiState, agUiTranslation } from './translate.ts';

/** The frames of a run, until it ends or asks the user for something. */
export async function* agUiFrames(
  { session, before, items, isContinued }: AgUiRun,
  { threadId, runId, language }: { threadId: string; runId: string; language: Language },
): AsyncGenerator<readonly Frame[]> {
  const { sessionId, folder } = session.header;
  const state: AgUiState = { sessionId, cartella: folder, usage: null, todo: [], file: {} };
  const translation = agUiTranslation({ threadId, runId, state, language });
  for (const event of before) translation.seed(event);
  yield framesOf(translation.begin());
  let hasBegun = isContinued;
  for await (const item of items) {
    if (item.kind !== 'events') continue;
    const events = item.events.map(({ json }) => JSON.parse(json) as SessionEvent);
    const translated = events.flatMap((event) => {
      hasBegun ||= event.type === 'RunStarted';
      return hasBegun ? translation.translate(event) : [];
    });
    if (translated.length) yield framesOf(translated);
    if (translation.isOver()) return;
  }
  yield framesOf(translation.cut());
}

function framesOf(events: readonly AgUiEvent[]): readonly Frame[] {
  return events.map((event) => ({ json: JSON.stringify(event) }));
}
