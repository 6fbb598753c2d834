import type { PlanValue, ProviderRetry } from '../wire/events.ts';
import type { TodoEntry } from './conversation.ts';
import { add, type Draft, edit, nextKey } from './draft.ts';
import { elicitation, plan } from './fold-cards.ts';
import type { Background, Cost } from './items.ts';

type Fields = Record<string, unknown>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null;
const count = (field: unknown) => (typeof field === 'number' ? field : undefined);
const text = (field: unknown) => (typeof field === 'string' ? field : undefined);
const list = (field: unknown): Fields[] => (Array.isArray(field) ? field.filter(isRecord) : []);

/** What travels as CUSTOM, by name; names without a row here pass. */
const CUSTOM: Record<string, (draft: Draft, value: Fields) => void> = {
  'svc.fine-rigiocata': (draft) => {
    draft.isReplayed = true;
  },
  'svc.coda': (draft, { voci, inPausa }) => {
    const messages = list(voci).map(({ id, testo, immagini }) => ({
      id: text(id) ?? '',
      text: text(testo) ?? '',
      images: count(immagini) ?? 0,
    }));
    draft.queue = { messages, isPaused: inPausa === true };
  },
  'svc.provider-retry': (draft, value) => {
    // Told only while it is live: an old wait is no news.
    const retry = value as unknown as ProviderRetry;
    draft.retry = draft.isReplayed && retry.fase === 'attesa' ? retry : undefined;
  },
  'svc.provider-fallback': fallback,
  'svc.contesto-richiesta': (draft, { model, ripartizione }) => {
    const parts = list(isRecord(ripartizione) ? ripartizione.categorie : []).map(({ id, tokens }) => ({
      id: text(id) ?? '',
      tokens: count(tokens) ?? 0,
    }));
    const total = parts.reduce((sum, { tokens }) => sum + tokens, 0);
    if (total === 0) return;
    draft.context = { model: text(model) ?? '', parts };
    draft.contextTokens = total;
  },
  'svc.ricevuta-consumo': (draft, { costoDichiarato }) => {
    const price = count(costoDichiarato);
    draft.cost = withCall(draft.cost, price);
    draft.totalCost = withCall(draft.totalCost, price);
  },
  'svc.plan': (draft, value) => plan(draft, value as unknown as PlanValue),
  'svc.todo': (draft, { items }) => {
    draft.todo = list(items) as unknown as TodoEntry[];
  },
  'svc.workflow-outcome': (draft, { runId, title, status }) => {
    const told = { runId: text(runId) ?? '', title: text(title) ?? '', status: text(status) ?? '' };
    add(draft, { kind: 'outcome', key: nextKey(draft), turn: draft.turn, ...told });
  },
  'svc.mcp-elicitation': elicitation,
  'svc.processo-sfondo': background,
  'svc.compattazione': compaction,
  'svc.messaggio-rimosso': removed,
  'svc.annullamento': undo,
  'svc.impostazioni-sessione': (draft, { modalitaOperativa, motivo }) => {
    // The plan itself tells that it was approved.
    if (motivo === 'piano-approvato' || modalitaOperativa === undefined) return;
    const isPlanning = modalitaOperativa === 'piano';
    add(draft, { kind: 'mode', key: nextKey(draft), turn: draft.turn, isPlanning });
  },
};

function withCall({ usd, declared, calls }: Cost, price: number | undefined): Cost {
  return { usd: usd + (price ?? 0), declared: declared + (price === undefined ? 0 : 1), calls: calls + 1 };
}

export function custom(draft: Draft, name: string, value: unknown): void {
  CUSTOM[name]?.(draft, isRecord(value) ? value : {});
}

function fallback(draft: Draft, { da, a, causa }: Fields): void {
  const name = (end: unknown) => {
    const { provider, modello } = isRecord(end) ? end : {};
    return `${text(provider) ?? ''}:${text(modello) ?? ''}`;
  };
  draft.retry = undefined;
  const key = nextKey(draft);
  add(draft, { kind: 'fallback', key, turn: draft.turn, from: name(da), to: name(a), cause: text(causa) });
}

function background(draft: Draft, { toolCallId, fase, da, codice }: Fields): void {
  const call = edit(draft, 'tool', text(toolCallId) ?? '');
  if (!call) return;
  const by = (text(da) as Background['by']) ?? call.background?.by;
  call.background = { isRunning: fase === 'inizio', by, exitCode: count(codice) ?? null };
}

function compaction(draft: Draft, { fase, at, compattato, tokenPrima, tokenDopo, annullabile }: Fields): void {
  const key = text(at) ?? nextKey(draft);
  let item = edit(draft, 'compaction', key);
  if (!item) {
    item = {
      kind: 'compaction',
      key,
      turn: draft.turn,
      state: 'running',
      before: undefined,
      after: undefined,
      isUndoable: false,
    };
    add(draft, item);
  }
  item.before = count(tokenPrima) ?? item.before;
  item.after = count(tokenDopo) ?? item.after;
  if (fase === 'annullata') item.state = 'undone';
  else if (fase === 'fine') item.state = compattato === true ? 'done' : 'failed';
  item.isUndoable = item.state === 'done' && annullabile === true;
  if (item.state === 'done') draft.contextTokens = item.after ?? draft.contextTokens;
  else if (item.state === 'undone') draft.contextTokens = item.before ?? draft.contextTokens;
}

/** Files and conversation are taken back and put back apart from each other. */
function undo(draft: Draft, { fase, tipo, giro, file, chat }: Fields): void {
  const end = draft.items.findLast((item) => item.kind === 'end' && item.start === giro);
  const item = fase === 'fine' && end ? edit(draft, 'end', end.key) : undefined;
  if (!item) return;
  const isUndo = tipo === 'undo';
  const { files, chat: wasHidden } = item.undone;
  item.undone = {
    files: Array.isArray(file) && file.length > 0 ? isUndo : files,
    chat: chat === true ? isUndo : wasHidden,
  };
  const others = draft.hiddenTurns.filter((turn) => turn !== item.turn);
  draft.hiddenTurns = item.undone.chat ? [...others, item.turn] : others;
}

function removed(draft: Draft, { riferimento }: Fields): void {
  const reference = text(riferimento) ?? '';
  const place = draft.items.findIndex((item) => item.kind === 'person' && item.reference === reference);
  const person = draft.items[place];
  const item = person?.kind === 'person' ? edit(draft, 'person', person.key) : edit(draft, 'text', reference);
  if (item) item.isRemoved = true;
}
