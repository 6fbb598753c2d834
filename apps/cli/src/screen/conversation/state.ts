import {
  type CardItem,
  type Conversation,
  cardOf,
  EMPTY,
  fold,
  type Item,
  type Question,
  type StreamEvent,
  type ToolAction,
  type UsageState,
} from '@fucina/conversation';
import type { Elicitation } from '../../forms/elicitation.ts';
import type { Notice } from '../workbench.ts';

/** Output of the command line itself, on this screen only. */
export interface NoticeItem {
  kind: 'notice';
  key: string;
  notice: Notice;
}

export type ScreenItem = Item | NoticeItem;

/** A pending card, before it is prepared for display. */
export type PendingCard =
  | { kind: 'approval'; requestId: string; action: ToolAction }
  | { kind: 'questions'; requestId: string; questions: readonly Question[] }
  | { kind: 'plan'; requestId: string; hash: string; content: string }
  | ({ kind: 'elicitation' } & Elicitation);

/** The conversation, with output of the command line between its items. */
export interface ScreenState extends Omit<Conversation, 'items'> {
  items: readonly ScreenItem[];
  pending: PendingCard | undefined;
}

/** One session, as far as its events were read. */
export interface SessionReader {
  /** In order; repeated ones are ignored. */
  take(events: readonly StreamEvent[]): void;
  /** Adds output of the command line after the current items. */
  notify(notice: Notice): void;
  lastSequence(): number;
  /** The same object until something changes. */
  state(): ScreenState;
}

export function createSessionReader(): SessionReader {
  let conversation = EMPTY;
  let state: ScreenState | undefined;
  const notices: { item: NoticeItem; after: number }[] = [];
  return {
    take(events) {
      const before = conversation;
      conversation = fold(before, events);
      if (conversation !== before) state = undefined;
    },
    notify(notice) {
      const item: NoticeItem = { kind: 'notice', key: `notice:${notices.length + 1}`, notice };
      notices.push({ item, after: conversation.items.length });
      state = undefined;
    },
    lastSequence: () => conversation.lastSequence,
    state: () => (state ??= { ...conversation, items: withNotices(), pending: pendingCard(conversation) }),
  };

  function withNotices(): readonly ScreenItem[] {
    if (notices.length === 0) return conversation.items;
    const items: ScreenItem[] = conversation.items.slice();
    for (const { item, after } of notices.toReversed()) items.splice(after, 0, item);
    return items;
  }
}

/** Questions of MCP servers during a call, oldest first; before other requests, because the call waits for them. */
function pendingCard(conversation: Conversation): PendingCard | undefined {
  const cards = conversation.waiting.map((requestId) => cardOf(conversation, requestId));
  const card = cards.find((one) => one?.kind === 'elicitation') ?? cards.at(-1);
  return card && asPending(card);
}

export function asPending(card: CardItem): PendingCard {
  const { key: requestId } = card;
  switch (card.kind) {
    case 'approval':
      return { kind: 'approval', requestId, action: card.action };
    case 'question':
      return { kind: 'questions', requestId, questions: card.questions };
    case 'plan':
      return { kind: 'plan', requestId, hash: card.hash, content: card.content };
    case 'elicitation': {
      const { server, message, url, form, sampling } = card;
      const shown = url === undefined ? { form: isRecord(form) ? form : {} } : { url };
      return { kind: 'elicitation', requestId, server, message, sampling, ...shown };
    }
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tokens of the current or last turn; undefined if no model was called. */
export function turnTokens({ usage, isLocalTurn }: Pick<Conversation, 'usage' | 'isLocalTurn'>): number | undefined {
  return isLocalTurn ? undefined : totalTokens(usage);
}

export function totalTokens(usage: UsageState | undefined): number | undefined {
  return usage && usage.prompt_tokens + usage.completion_tokens;
}
