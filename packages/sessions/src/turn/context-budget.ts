import type { CompactionCause } from '../context/compaction.ts';
import type { SessionPrompt } from '../context/compaction-summary.ts';
import { conversationTokens } from '../context/context-use.ts';
import { answeringModel } from './provider-fallback.ts';
import type { TurnState } from './turn-state.ts';

/** Fewer fit into every model. */
const MIN_CHECKED = 2_000;

/**
 * Before a model call: compacts the conversation in the background when it approaches the context limit, and waits for
 * the summary only when there is no room left without it.
 */
export async function compactIfNeeded(state: TurnState, prompt: SessionPrompt): Promise<void> {
  adopt(state);
  const { record, needs, contextBudget } = state;
  const known = needs.lookUp?.(answeringModel(record));
  const tokens = Math.max(contextBudget.lastPromptTokens, conversationTokens(state.conversation.messages()));
  if (tokens > MIN_CHECKED) await known;
  const { triggerTokens, emergencyTokens } = needs.compactions.policy(record);
  if (tokens >= emergencyTokens) {
    await shrinkContext(state, { prompt });
  } else if (tokens >= triggerTokens && !contextBudget.isWorking) {
    contextBudget.isWorking = true;
    void needs.compactions
      .run(record, 'background', { prompt, traceparent: state.span?.traceparent })
      .then(({ isCompacted }) => (contextBudget.isReady = isCompacted))
      .catch((error: unknown) => needs.ambient.log.error('compaction.failed', { error }))
      .finally(() => (contextBudget.isWorking = false));
  }
}

/**
 * After a request that was too long: compacts, as often as there is something to cover, then shortens the longest
 * results and messages. False when nothing more can be left out.
 */
export async function makeRoom(state: TurnState): Promise<boolean> {
  if (state.signal.aborted) return false;
  if (await shrinkContext(state, { isRefused: true })) return true;
  state.contextBudget.lastPromptTokens = 0;
  return !state.signal.aborted && state.conversation.shorten();
}

/** Compacts now. False when there was nothing to compact, or no summary was produced. */
async function shrinkContext(state: TurnState, cause: Pick<CompactionCause, 'prompt' | 'isRefused'>): Promise<boolean> {
  const { isCompacted } = await state.needs.compactions.run(state.record, 'emergenza', {
    ...cause,
    signal: state.signal,
    traceparent: state.span?.traceparent,
  });
  state.contextBudget.isReady ||= isCompacted;
  adopt(state);
  return isCompacted;
}

function adopt(state: TurnState): void {
  if (!state.contextBudget.isReady) return;
  state.conversation = state.needs.reread(state.record);
  state.contextBudget = { ...state.contextBudget, isReady: false, lastPromptTokens: 0 };
}
