import { type Ambient, type ModelClient, type SessionEvent, systemCode } from '@fucina/shared';
import { estimateTokenCount } from 'tokenx';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { Compaction } from '../store/compaction-table.ts';
import { eventsOf, hiddenTurns } from '../store/events.ts';
import type { Journal } from '../store/journal.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import { answeringModel } from '../turn/provider-fallback.ts';
import { type CompactionPlan, planCompaction } from './compaction-plan.ts';
import { checkpointText, SUMMARY_PROMPT } from './compaction-text.ts';
import { conversationTokens } from './context-use.ts';

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
}

export type CompactionOutcome = { isCompacted: false } | { isCompacted: true; compaction: Compaction };

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
/** Of the window, for what stays as it is. */
const KEPT = 0.4;
const SUMMARY_TOKENS = 2_048;
/** Many providers count reasoning as output: without room for it the summary would be cut off. */
const OUTPUT_TOKENS = 8_192;
const TRANSCRIPT_CHARS_PER_TOKEN = 3;

interface CompactionsNeeds {
  ambient: Ambient;
  model: ModelClient;
  registry: Registry;
  store: SessionStore;
  journal: Journal;
  /** The model's context size in tokens, null when unknown. */
  windowOf(model: string): number | null;
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

  const attempt = async (
    record: SessionRecord,
    {
      plan,
      reason,
      ...cause
    }: { plan: CompactionPlan; reason: CompactionReason; signal: AbortSignal } & CompactionCause,
  ): Promise<CompactionOutcome> => {
    const { signal, traceparent } = cause;
    const at = new Date(ambient.now()).toISOString();
    const { triggerTokens, windowTokens } = policy(record);
    const tokensBefore = conversationTokens(registry.reread(record).messages());
    const facts = { tokenPrima: tokensBefore, coveredThrough: plan.coveredThrough, motivo: reason, at };
    tell(record, { fase: 'inizio', soglia: triggerTokens, ...facts });
    const model = answeringModel(record);
    const budget = Math.round((windowTokens ?? TOKEN_CAP) * TRIGGER * TRANSCRIPT_CHARS_PER_TOKEN);
    const transcript = plan.transcript.slice(-budget);
    const summary = await summarise(needs.model, { model, transcript, signal, traceparent });
    if (!summary) {
      tell(record, { fase: 'fine', compattato: false, motivo: signal.aborted ? 'annullata' : 'modello-fallito', at });
      return { isCompacted: false };
    }
    const files = await readFiles(record.header.folder, plan.files, needs);
    const text = checkpointText({ summary, requests: plan.requests, files });
    const compaction: Compaction = {
      at,
      coveredThrough: plan.coveredThrough,
      text,
      tokensBefore,
      tokensAfter: Math.max(0, tokensBefore - estimateTokenCount(plan.transcript)) + estimateTokenCount(text),
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

  return {
    policy,

    async run(record, reason, { signal, traceparent } = { traceparent: undefined }) {
      const { sessionId } = record.header;
      if (inProgress.has(sessionId)) return { isCompacted: false };
      needs.journal.flush(record.key);
      const current = store.compactions.current(record.key);
      const covered = current && { through: current.coveredThrough, text: current.text };
      const { windowTokens } = policy(record);
      const keptChars = Math.round((windowTokens ?? TOKEN_CAP) * KEPT * TRANSCRIPT_CHARS_PER_TOKEN);
      const isUrgent = reason === 'emergenza';
      const plan = planCompaction(parsedEvents(store, record), { covered, keptChars, isUrgent });
      if (!plan) return { isCompacted: false };
      const until = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      const attempted = attempt(record, { plan, reason, signal: until, traceparent });
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

interface SummaryRequest {
  model: string;
  transcript: string;
  signal: AbortSignal;
  traceparent: string | undefined;
}

/** Undefined when the model failed or returned nothing. */
async function summarise(
  client: ModelClient,
  { model, transcript, signal, traceparent }: SummaryRequest,
): Promise<string | undefined> {
  let text = '';
  const request = {
    model,
    system: [SUMMARY_PROMPT],
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: transcript }] }],
    tools: [],
    maxOutputTokens: OUTPUT_TOKENS,
    purpose: 'compaction' as const,
    traceparent,
  };
  for await (const batch of client.stream(request, signal)) {
    for (const event of batch) {
      if (event.type === 'text') text += event.delta;
      if (event.type === 'failure') return undefined;
    }
  }
  return text.trim() ? cutToTokens(text.trim(), SUMMARY_TOKENS) : undefined;
}

function cutToTokens(text: string, limit: number): string {
  const tokens = estimateTokenCount(text);
  return tokens <= limit ? text : `${text.slice(0, Math.floor((text.length * limit) / tokens))} […]`;
}

const MAX_FILE_CHARS = 4_000;

async function readFiles(folder: string, paths: readonly string[], { readFile }: CompactionsNeeds) {
  const files: { path: string; text: string }[] = [];
  for (const path of paths) {
    const text = await readFile(folder, path).catch((error: unknown) => {
      if (systemCode(error)) return undefined;
      throw error;
    });
    if (text !== undefined) files.push({ path, text: text.slice(0, MAX_FILE_CHARS) });
  }
  return files;
}
