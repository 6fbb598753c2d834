import {
  type Ambient,
  type ModelClient,
  type ModelFailure,
  type SessionEvent,
  systemCode,
  textEnd,
  textStart,
} from '@fucina/shared';
import { estimateTokenCount } from 'tokenx';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { answeringModel } from '../state/answering-model.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { Compaction } from '../store/compaction-table.ts';
import { eventsOf, hiddenTurns } from '../store/events.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import { type CompactionPlan, planCompaction } from './compaction-plan.ts';
import { cutToTokens, type SessionPrompt, type Summary, summarise } from './compaction-summary.ts';
import { checkpointText } from './compaction-text.ts';
import { conversationTokens } from './context-use.ts';
import type { ChatImages } from './images.ts';
import { toolTokens } from './tool-tokens.ts';
import { withImages } from './with-images.ts';

/** When and how a conversation is compacted. */
export interface CompactionPolicy {
  /** The model's context size, null when unknown. */
  windowTokens: number | null;
  triggerTokens: number;
  warningTokens: number;
  emergencyTokens: number;
  source: 'catalog' | 'default';
  modelId: string;
  inProgress: boolean;
}

export type CompactionReason = 'soglia' | 'background' | 'emergenza' | 'manuale';

/** The turn that needs it; absent when the user asked for it. */
export interface CompactionCause {
  signal?: AbortSignal | undefined;
  traceparent: string | undefined;
  /** The beginning of the turn's requests; default: that of the session's next one. */
  prompt?: SessionPrompt;
  /** The model has just refused the conversation as too long. */
  isRefused?: boolean;
}

/** Why nothing was compacted. */
export type NotCompacted =
  /** Nothing stands before what stays as it is. */
  'too-short' | 'in-progress' | 'cancelled' | 'model-failed';

export type CompactionOutcome =
  | { isCompacted: false; why: NotCompacted; failure?: ModelFailure }
  | { isCompacted: true; compaction: Compaction };

export interface Compactions {
  policy(record: SessionRecord): CompactionPolicy;
  /**
   * Creates and stores the summary. Does not throw if the model fails: nothing is compacted then, and an event reports
   * why.
   */
  run(record: SessionRecord, reason: CompactionReason, cause?: CompactionCause): Promise<CompactionOutcome>;
  /** COMPACTION_NOT_FOUND unless it is the current one and was made automatically. */
  undo(record: SessionRecord, at: string): void;
  /** Cancels running compactions; resolves when there are none. */
  close(): Promise<void>;
}

const TOKEN_CAP = 200_000;
const TRIGGER = 0.75;
const EMERGENCY = 0.9;
const EMERGENCY_OF_CAP = 1.2;
const WARNING_OF_TRIGGER = 0.9;
/** Of the window: what stays as it is, the user's own messages of the covered part, and the summary. */
const KEPT = 0.25;
const REQUESTS = 0.25;
const SUMMARY = 0.125;
const SUMMARY_TOKENS = 8_000;
const CHARS_PER_TOKEN = 3;

interface CompactionsNeeds {
  ambient: Ambient;
  model: ModelClient;
  registry: Registry;
  store: SessionStore;
  journal: Journal;
  /** The model's context size in tokens, null when unknown. */
  windowOf(model: string): number | null;
  images: ChatImages;
  /** The beginning of the next request of a session that rests. */
  promptOf(record: SessionRecord): Promise<SessionPrompt>;
  /** The text of a file in the session's folder; undefined when it is unreadable. */
  readFile(folder: string, path: string): Promise<string | undefined>;
}

export function createCompactions(needs: CompactionsNeeds): Compactions {
  const { store, registry, ambient } = needs;
  const inProgress = new Map<string, Promise<CompactionOutcome>>();
  const closing = new AbortController();

  const policy = (record: SessionRecord): CompactionPolicy => {
    const modelId = answeringModel(record);
    const windowTokens = needs.windowOf(modelId);
    const triggerTokens = windowTokens ? Math.min(TOKEN_CAP, Math.round(windowTokens * TRIGGER)) : TOKEN_CAP;
    return {
      windowTokens,
      triggerTokens,
      warningTokens: Math.round(triggerTokens * WARNING_OF_TRIGGER),
      emergencyTokens: Math.round(windowTokens ? windowTokens * EMERGENCY : TOKEN_CAP * EMERGENCY_OF_CAP),
      source: windowTokens ? 'catalog' : 'default',
      modelId,
      inProgress: inProgress.has(record.header.sessionId),
    };
  };

  const tell = (record: SessionRecord, value: object): void =>
    registry.append(record, [customEvent(CUSTOM_EVENTS.compaction, value)]);

  /** Tokens that the model reads; of one that has just refused the conversation, fewer than that. */
  const roomIn = (record: SessionRecord, { isRefused }: CompactionCause): number => {
    const window = Math.min(policy(record).windowTokens ?? TOKEN_CAP, TOKEN_CAP);
    return isRefused ? Math.min(window, conversationTokens(registry.reread(record).messages())) : window;
  };

  /** The conversation for a summary as the model's next answer; undefined where it would not fit. */
  const conversationFor = async (record: SessionRecord, { isRefused, prompt }: CompactionCause, maxTokens: number) => {
    if (isRefused) return undefined;
    const { system, specs, show } = prompt ?? (await needs.promptOf(record));
    const messages = registry.reread(record).messages();
    const tokens =
      estimateTokenCount(system.join('\n')) +
      specs.reduce((sum, spec) => sum + toolTokens(spec), 0) +
      conversationTokens(messages);
    if (tokens + maxTokens > (policy(record).windowTokens ?? TOKEN_CAP)) return undefined;
    return { system, specs, messages: await withImages(show(messages), needs.images) };
  };

  const attempt = async (
    record: SessionRecord,
    { plan, reason, signal, ...cause }: Attempt,
  ): Promise<CompactionOutcome> => {
    const at = new Date(ambient.now()).toISOString();
    const { triggerTokens } = policy(record);
    const tokensBefore = conversationTokens(registry.reread(record).messages());
    const facts = { tokenPrima: tokensBefore, coveredThrough: plan.coveredThrough, motivo: reason, at };
    tell(record, { fase: 'inizio', soglia: triggerTokens, ...facts });
    const model = answeringModel(record);
    const window = roomIn(record, cause);
    const maxTokens = Math.min(SUMMARY_TOKENS, Math.round(window * SUMMARY));
    const summary = await summarise(needs.model, {
      model,
      sessionId: record.header.sessionId,
      reasoning: record.settings.reasoning,
      conversation: await conversationFor(record, cause, maxTokens),
      transcript: textEnd(plan.transcript, Math.round(window * TRIGGER * CHARS_PER_TOKEN)),
      maxTokens,
      signal,
      traceparent: cause.traceparent,
    });
    if (!('text' in summary)) return notMade(record, { at, summary, isCancelled: signal.aborted });
    const text = checkpointText({
      ...plan,
      summary: summary.text,
      requests: newest(plan.requests, Math.round(window * REQUESTS)),
      contents: await readFiles(record.header.folder, plan.files, needs),
    });
    const after = registry.reread(record, { coveredThrough: plan.coveredThrough, text });
    const compaction: Compaction = {
      at,
      coveredThrough: plan.coveredThrough,
      text,
      tokensBefore,
      tokensAfter: conversationTokens(after.messages()),
      model,
      reason,
      isUndoable: reason !== 'manuale',
    };
    const end = {
      fase: 'fine',
      compattato: true,
      ...facts,
      tokenDopo: compaction.tokensAfter,
      misura: 'stima',
      modello: model,
      annullabile: compaction.isUndoable,
    };
    registry.append(record, [customEvent(CUSTOM_EVENTS.compaction, end)], { compacts: compaction });
    registry.forget(record);
    return { isCompacted: true, compaction };
  };

  const notMade = (
    record: SessionRecord,
    { at, summary, isCancelled }: { at: string; summary: Exclude<Summary, { text: string }>; isCancelled: boolean },
  ): CompactionOutcome => {
    tell(record, { fase: 'fine', compattato: false, motivo: isCancelled ? 'annullata' : 'modello-fallito', at });
    if (isCancelled) return { isCompacted: false, why: 'cancelled' };
    return { isCompacted: false, why: 'model-failed', ...(summary.failure && { failure: summary.failure }) };
  };

  return {
    policy,

    async run(record, reason, cause = { traceparent: undefined }) {
      const { sessionId } = record.header;
      if (inProgress.has(sessionId)) return { isCompacted: false, why: 'in-progress' };
      needs.journal.flush(record.key);
      const current = store.compactions.current(record.key);
      const covered = current && { through: current.coveredThrough, text: current.text };
      const keptChars = Math.round(roomIn(record, cause) * KEPT * CHARS_PER_TOKEN);
      const isUrgent = reason === 'emergenza';
      const plan = planCompaction(parsedEvents(store, record), { covered, keptChars, isUrgent });
      if (!plan) return { isCompacted: false, why: 'too-short' };
      const signal = cause.signal ? AbortSignal.any([cause.signal, closing.signal]) : closing.signal;
      const attempted = attempt(record, { ...cause, plan, reason, signal });
      inProgress.set(sessionId, attempted);
      try {
        return await attempted;
      } finally {
        inProgress.delete(sessionId);
      }
    },

    undo(record, at) {
      const current = store.compactions.current(record.key);
      if (current?.at !== at || !current.isUndoable) throw sessionsError('COMPACTION_NOT_FOUND');
      const { coveredThrough, tokensBefore: tokenPrima, tokensAfter: tokenDopo } = current;
      const value = { fase: 'annullata', at, coveredThrough, tokenPrima, tokenDopo };
      registry.append(record, [customEvent(CUSTOM_EVENTS.compaction, value)], { undoesCompaction: at });
      registry.forget(record);
    },

    async close() {
      closing.abort();
      await Promise.allSettled(inProgress.values());
    },
  };
}

function* parsedEvents(store: SessionStore, record: SessionRecord) {
  const hidden = hiddenTurns(record);
  let isHidden = false;
  for (const { seq, json } of eventsOf(store, record)) {
    const event = JSON.parse(json) as SessionEvent;
    if (event.type === 'RunStarted') isHidden = hidden.has(seq);
    if (!isHidden) yield { seq, event };
    if (event.type === 'RunFinished' || event.type === 'RunError') isHidden = false;
  }
}

interface Attempt extends CompactionCause {
  plan: CompactionPlan;
  reason: CompactionReason;
  signal: AbortSignal;
}

/** The newest messages within a number of tokens, oldest first; the one that does not fit whole is cut. */
function newest(requests: readonly string[], limit: number): string[] {
  let left = limit;
  const chosen: string[] = [];
  for (const request of requests.toReversed()) {
    if (left <= 0) break;
    chosen.unshift(cutToTokens(request, left));
    left -= estimateTokenCount(request);
  }
  return chosen;
}

const MAX_CONTENTS = 5;
const MAX_FILE_CHARS = 4_000;

async function readFiles(folder: string, used: readonly { path: string }[], { readFile }: CompactionsNeeds) {
  const files: { path: string; text: string }[] = [];
  for (const { path } of used.slice(0, MAX_CONTENTS)) {
    const text = await readFile(folder, path).catch((error: unknown) => {
      if (systemCode(error)) return undefined;
      throw error;
    });
    if (text !== undefined) files.push({ path, text: textStart(text, MAX_FILE_CHARS) });
  }
  return files;
}
