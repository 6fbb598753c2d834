import { createTwoFilesPatch } from 'diff';
import { type Conversation, readArguments } from '../conversation.ts';
import type { CommandItem, EndItem, FileChange, Item, ToolItem } from '../items.ts';
import { callSubject } from '../tools.ts';
import { createSecretFilter, type RemovedSecret, type SecretFilter } from './secrets.ts';

/** What of a conversation is shared, beside messages and answers. */
export interface ShareChoice {
  hasReasoning: boolean;
  /** What tools and commands returned. */
  hasOutput: boolean;
  /** Differences of changed files. */
  hasChanges: boolean;
}

/** A folded text of a call. */
export interface SharePart {
  title: string;
  text: string;
  language: string;
}

export type ShareBlock =
  | { kind: 'user' | 'answer' | 'reasoning'; text: string }
  | { kind: 'call'; title: string; subject: string; isFailed: boolean; parts: readonly SharePart[] }
  | { kind: 'note'; text: string };

/** A conversation as a document, without secrets. */
export interface Share {
  title: string;
  blocks: readonly ShareBlock[];
  removed: readonly RemovedSecret[];
}

/** Texts in the language of the document: the shared labels, by key. */
export type ShareLabels = (key: string) => string;

export interface ShareOrder {
  title: string;
  choice: ShareChoice;
  labels: ShareLabels;
}

const MAX_OUTPUT_CHARS = 20_000;
/** Of home folders only the user name is private. */
const HOME = /(?:\/home\/|\/Users\/|[A-Za-z]:\\Users\\)[^/\\\s:"']+/g;

/** Builds the document; what its author removed from the conversation is not in it. */
export function shareOf({ items }: Conversation, order: ShareOrder): Share {
  const { labels, title } = order;
  const secrets = createSecretFilter((kind) => `[${labels(`share.secret.${kind}`)}]`);
  const filter = { ...secrets, clean: (text: string) => secrets.clean(text).replaceAll(HOME, '~') };
  const blocks = items.flatMap((item) => blockOf(item, order, filter));
  return { title: filter.clean(title), blocks, removed: secrets.removed() };
}

function blockOf(item: Item, order: ShareOrder, { clean }: Pick<SecretFilter, 'clean'>): ShareBlock[] {
  switch (item.kind) {
    case 'user':
      return item.isRemoved ? [] : [{ kind: 'user', text: clean(item.text) }];
    case 'text':
      return item.isRemoved || item.text.trim() === '' ? [] : [{ kind: 'answer', text: clean(item.text) }];
    case 'reasoning':
      return item.isRemoved || !order.choice.hasReasoning ? [] : [{ kind: 'reasoning', text: clean(item.text) }];
    case 'tool':
      return [callBlock(item, order, clean)];
    case 'command':
      return [commandBlock(item, order, clean)];
    case 'end':
      return endBlock(item, order.labels, clean);
    default:
      return [];
  }
}

type Clean = (text: string) => string;

function callBlock(item: ToolItem, { choice, labels }: ShareOrder, clean: Clean): ShareBlock {
  const parts: SharePart[] = [];
  const { outcome } = item;
  if (choice.hasChanges) {
    for (const change of item.changes) parts.push(changePart(change, labels, clean));
  }
  const output = outcome?.stdout ?? item.output;
  const text = [output, outcome?.stderr].filter(Boolean).join('\n') || (outcome?.content ?? '');
  if (choice.hasOutput && text.trim() !== '' && item.changes.length === 0) {
    parts.push({ title: labels('share.output'), text: clean(cut(text)), language: '' });
  }
  const key = `tool.${item.name}.done`;
  const label = labels(key);
  return {
    kind: 'call',
    title: label === key ? item.name : label,
    subject: clean(callSubject(item.name, readArguments(item)).replaceAll(/\s+/g, ' ')),
    isFailed: outcome?.isFailed === true || (outcome?.exitCode ?? 0) !== 0,
    parts,
  };
}

function changePart({ path, before, after, isTooLarge }: FileChange, labels: ShareLabels, clean: Clean): SharePart {
  const patch = isTooLarge ? '' : createTwoFilesPatch(path, path, before ?? '', after ?? '');
  // Without the line that the library draws above it.
  const text = patch.slice(patch.indexOf('---'));
  return { title: path, text: isTooLarge ? labels('share.too-large') : clean(cut(text)), language: 'diff' };
}

function commandBlock(item: CommandItem, { choice, labels }: ShareOrder, clean: Clean): ShareBlock {
  const hasOutput = choice.hasOutput && item.output.trim() !== '';
  return {
    kind: 'call',
    title: labels('tool.shell.done'),
    subject: clean(item.command),
    isFailed: (item.exitCode ?? 0) !== 0,
    parts: hasOutput ? [{ title: labels('share.output'), text: clean(cut(item.output)), language: '' }] : [],
  };
}

function endBlock({ outcome, message }: EndItem, labels: ShareLabels, clean: Clean): ShareBlock[] {
  if (outcome === 'done') return [];
  const reason = message === undefined || message === '' ? '' : `: ${clean(message)}`;
  return [{ kind: 'note', text: `${labels(`share.end.${outcome}`)}${reason}` }];
}

function cut(text: string): string {
  const plain = text.trimEnd();
  return plain.length <= MAX_OUTPUT_CHARS ? plain : `${plain.slice(0, MAX_OUTPUT_CHARS)}\n…`;
}
