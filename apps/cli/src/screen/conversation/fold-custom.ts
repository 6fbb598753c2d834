import type { SessionEvent } from '@fucina/shared';
import { elicitationOf } from '../../forms/elicitation.ts';
import type { PlanCard } from '../../one-shot/dialogue.ts';
import { add, change, type Draft, find, keyAt } from './draft.ts';
import type { Placed } from './fold.ts';
import { elicitation, plan } from './fold-cards.ts';
import type { ConversationEvent } from './items.ts';
import type { ContextPart, TodoEntry } from './state.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const count = (field: unknown): number | undefined => (typeof field === 'number' ? field : undefined);
const text = (field: unknown): string => (typeof field === 'string' ? field : '');
const list = (field: unknown): unknown[] => (Array.isArray(field) ? field : []);

/** By name; other names pass. */
const CUSTOM: Readonly<Record<string, (draft: Draft, value: Fields, place: Placed) => void>> = {
  'svc.plan': (draft, value) => {
    if (typeof value.requestId === 'string' && typeof value.content === 'string')
      plan(draft, value as unknown as PlanCard);
  },
  'svc.todo': (draft, { items }) => {
    draft.todo = list(items).filter(isRecord).map(todoEntry);
  },
  'svc.contesto-richiesta': (draft, { ripartizione }) => {
    const parts = isRecord(ripartizione) ? list(ripartizione.categorie).filter(isRecord) : [];
    setContext(
      draft,
      parts.map((part) => ({ id: text(part.id), tokens: count(part.tokens) ?? 0 })),
    );
  },
  'svc.ricevuta-consumo': (draft, { costoDichiarato }) => {
    const usd = count(costoDichiarato);
    if (usd !== undefined) draft.costUsd = (draft.costUsd ?? 0) + usd;
  },
  'svc.provider-retry': (draft, { fase, tentativo, retryAt }) => {
    const isWaited = draft.isReplayed && fase !== 'fine';
    const at = fase === 'attesa' ? (count(retryAt) ?? null) : null;
    draft.retry = isWaited ? { attempt: count(tentativo) ?? 2, at } : undefined;
  },
  'svc.provider-fallback': (draft, { da, a }, place) => {
    happened(draft, { name: 'fallback', from: modelOf(da), to: modelOf(a) }, place);
  },
  'svc.impostazioni-sessione': (draft, { modalitaOperativa, motivo }, place) => {
    // The plan itself tells that it was approved.
    if (motivo === 'piano-approvato' || modalitaOperativa === undefined) return;
    happened(draft, { name: 'mode', isPlanning: modalitaOperativa === 'piano' }, place);
  },
  'svc.compattazione': compaction,
  'svc.processo-sfondo': (draft, { toolCallId, fase, codice }) => {
    const background = { isRunning: fase === 'inizio', exitCode: count(codice) ?? null };
    change(draft, find(draft, 'tool', text(toolCallId)), { background });
  },
  'svc.messaggio-rimosso': (draft, { riferimento }) => {
    const reference = text(riferimento);
    const turn = /^giro:(\d+)$/.exec(reference)?.[1];
    if (turn !== undefined) change(draft, find(draft, 'person', keyAt(Number(turn))), { isRemoved: true });
    else change(draft, find(draft, 'answer', reference), { isRemoved: true });
  },
  'svc.annullamento': (draft, { fase, tipo, file, saltati }, place) => {
    if (fase !== 'fine') return;
    const files = list(file).length;
    happened(draft, { name: 'undo', isUndo: tipo === 'undo', files, skipped: list(saltati).length }, place);
  },
  'svc.workflow-outcome': (draft, { title, status }, place) => {
    happened(draft, { name: 'workflow', title: text(title), status: text(status) }, place);
  },
};

export function custom(draft: Draft, said: Extract<SessionEvent, { type: 'CUSTOM' }>, place: Placed): void {
  const step = elicitationOf(said);
  if (step) return elicitation(draft, step);
  const { name, value } = said;
  CUSTOM[name]?.(draft, isRecord(value) ? value : {}, place);
}

function todoEntry({ content, status }: Fields): TodoEntry {
  return { content: text(content), status: status === 'completed' || status === 'in_progress' ? status : 'pending' };
}

function happened(draft: Draft, event: ConversationEvent, { seq }: Placed): void {
  add(draft, { kind: 'event', key: keyAt(seq), event });
}

function modelOf(end: unknown): string {
  const { provider, modello } = isRecord(end) ? end : {};
  return [text(provider), text(modello)].filter(Boolean).join(':');
}

/** One line from its beginning to its end: they share the time at which it began. */
function compaction(draft: Draft, { fase, at, compattato, tokenPrima, tokenDopo }: Fields, { seq }: Placed): void {
  const key = `compaction:${text(at) || seq}`;
  const known = find(draft, 'event', key);
  const before = known?.event.name === 'compaction' ? known.event : undefined;
  const ended = compattato === true ? ('done' as const) : ('failed' as const);
  const state = fase === 'inizio' ? 'running' : fase === 'annullata' ? 'undone' : ended;
  const tokensBefore = count(tokenPrima) ?? before?.before;
  const tokensAfter = count(tokenDopo) ?? before?.after;
  const event: ConversationEvent = {
    name: 'compaction',
    state,
    ...(tokensBefore !== undefined && { before: tokensBefore }),
    ...(tokensAfter !== undefined && { after: tokensAfter }),
  };
  if (state === 'done') setConversation(draft, tokensAfter);
  if (state === 'undone') setConversation(draft, tokensBefore);
  if (known) change(draft, known, { event });
  else add(draft, { kind: 'event', key, event });
}

function setContext(draft: Draft, parts: readonly ContextPart[]): void {
  const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
  if (total === 0) return;
  draft.contextParts = parts;
  draft.contextTokens = total;
}

/** Compaction changes the conversation's share alone. */
function setConversation(draft: Draft, tokens: number | undefined): void {
  if (tokens === undefined) return;
  const others = draft.contextParts.filter(({ id }) => id !== 'conversation');
  setContext(draft, [...others, { id: 'conversation', tokens }]);
}
