import type { ContextUse } from '../workbench.ts';
import type { ConversationState } from './conversation-state.ts';

/** The context data of the status line and `/context`. */
export function contextOf({ changed }: { changed(): void }, place: ConversationState): ContextUse {
  const { contextTokens, context } = place.reader.state();
  if (place.window?.model !== place.choice.model) void readWindow({ changed }, place);
  return {
    usedTokens: contextTokens,
    parts: scaled(context?.parts ?? [], contextTokens ?? 0),
    window: place.window?.window,
  };
}

export async function readContext(needs: { changed(): void }, place: ConversationState): Promise<ContextUse> {
  await readWindow(needs, place);
  return contextOf(needs, place);
}

/** The context size that compaction uses. */
async function readWindow({ changed }: { changed(): void }, place: ConversationState): Promise<void> {
  const { services, sessionId, choice } = place;
  if (!services || sessionId === undefined || !choice.model) return;
  // Requested once per model, and again after each turn.
  place.window = { model: choice.model, window: place.window?.window };
  const policy = await services.sessions.editing.compactionPolicy(sessionId).catch(() => undefined); // deleted in the meantime
  if (!policy || place.sessionId !== sessionId) return;
  const { windowTokens, triggerTokens } = policy;
  const window = { tokens: windowTokens ?? triggerTokens, isAssumed: windowTokens === null, triggerTokens };
  place.window = { model: choice.model, window };
  changed();
}

function scaled(parts: ContextUse['parts'], total: number): ContextUse['parts'] {
  const sum = parts.reduce((all, { tokens }) => all + tokens, 0);
  return sum === 0 ? [] : parts.map(({ id, tokens }) => ({ id, tokens: Math.round((tokens / sum) * total) }));
}
