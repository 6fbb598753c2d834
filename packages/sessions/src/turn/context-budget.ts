import type { CompactionCause } from '../context/compaction.ts';
import type { SessionPrompt } from '../context/compaction-summary.ts';
import { conversationTokens } from '../context/context-use.ts';
import { answeringModel } from '../state/answering-model.ts';
import type { Turn } from './turn-context.ts';

/** Fewer fit into every model. */
const MIN_CHECKED = 2_000;

/**
 * Before a model call: compacts the conversation in the background when it approaches the context limit, and waits for
 * the summary only when there is no room left without it.
 */
export async function compactIfNeeded(turn: Turn, prompt: SessionPrompt): Promise<void> {
  adopt(turn);
  const { record, needs, contextBudget } = turn;
  const known = needs.lookUp?.(answeringModel(record));
  const tokens = Math.max(contextBudget.lastPromptTokens, conversationTokens(turn.conversation.messages()));
  if (tokens > MIN_CHECKED) await known;
  const { triggerTokens, emergencyTokens } = needs.compactions.policy(record);
  if (tokens >= emergencyTokens) {
    await shrinkContext(turn, { prompt });
  } else if (tokens >= triggerTokens && !contextBudget.isWorking) {
    contextBudget.isWorking = true;
    void needs.compactions
      .run(record, 'background', { prompt, traceparent: turn.span?.traceparent })
      .then(({ isCompacted }) => (contextBudget.isReady = isCompacted))
      .catch((error: unknown) => needs.ambient.log.error('compaction.failed', { error }))
      .finally(() => (contextBudget.isWorking = false));
  }
}

/**
 * After a request that was too long: compacts, as often as there is something to cover, then shortens the longest
 * results and messages. False when nothing more can be left out.
 */
export async function makeRoom(turn: Turn): Promise<boolean> {
  if (turn.signal.aborted) return false;
  if (await shrinkContext(turn, { isRefused: true })) return true;
  turn.contextBudget.lastPromptTokens = 0;
  return !turn.signal.aborted && turn.conversation.shorten();
}

/** Compacts now. False when there was nothing to compact, or no summary was produced. */
async function shrinkContext(turn: Turn, cause: Pick<CompactionCause, 'prompt' | 'isRefused'>): Promise<boolean> {
  const { isCompacted } = await turn.needs.compactions.run(turn.record, 'emergenza', {
    ...cause,
    signal: turn.signal,
    traceparent: turn.span?.traceparent,
  });
  turn.contextBudget.isReady ||= isCompacted;
  adopt(turn);
  return isCompacted;
}

function adopt(turn: Turn): void {
  if (!turn.contextBudget.isReady) return;
  turn.conversation = turn.needs.reread(turn.record);
  turn.contextBudget = { ...turn.contextBudget, isReady: false, lastPromptTokens: 0 };
}
