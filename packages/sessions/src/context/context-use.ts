import { type AnswerPart, isMediaType, type SessionEvent, type ToolSpec } from '@fucina/shared';
import { estimateTokenCount } from 'tokenx';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import { toolTokens } from './tool-tokens.ts';
import type { MessageWithImages, PictureReference } from './with-images.ts';

/** The contents of the model's context before a call, in estimated tokens per category. */
export interface ContextRequest {
  /** Epoch ms. */
  at: number;
  model: string;
  system: readonly string[];
  specs: readonly ToolSpec[];
  messages: readonly MessageWithImages[];
}

/** Estimated tokens of an image, from the providers that publish a figure. */
const IMAGE_TOKENS = 1_200;
const MAX_PDF_TOKENS = 30_000;

export function contextUse({ at, model, system, specs, messages }: ContextRequest): SessionEvent {
  const [engine = '', ...rules] = system;
  const isMcp = ({ name }: ToolSpec): boolean => name.startsWith('mcp__');
  const categories = {
    system: promptTokens(engine),
    rules: sum(rules.map(promptTokens)),
    memory: 0,
    tools: sum(specs.filter((spec) => !isMcp(spec)).map(toolTokens)),
    mcp: sum(specs.filter(isMcp).map(toolTokens)),
    conversation: sum(messages.map(messageTokens)),
  };
  return customEvent(CUSTOM_EVENTS.contextUse, {
    at,
    model,
    ripartizione: { categorie: Object.entries(categories).map(([id, tokens]) => ({ id, tokens })) },
    level1: { cleared: 0, shortened: 0 },
  });
}

export function conversationTokens(messages: readonly MessageWithImages[]): number {
  return sum(messages.map(messageTokens));
}

const known = new WeakMap<object, number>();

/** Complete messages never change, so each is estimated once. */
function messageTokens(message: MessageWithImages): number {
  const before = known.get(message);
  if (before !== undefined) return before;
  const tokens = countMessage(message);
  known.set(message, tokens);
  return tokens;
}

function countMessage(message: MessageWithImages): number {
  switch (message.role) {
    case 'user':
      return sum(message.content.map((part) => (part.type === 'text' ? estimateTokenCount(part.text) : IMAGE_TOKENS)));
    case 'tool':
      return estimateTokenCount(message.content) + sum((message.pictures ?? []).map(pictureTokens));
    case 'assistant':
      return sum(message.parts.map(partTokens));
  }
}

function partTokens(part: AnswerPart): number {
  if (part.type !== 'call') return estimateTokenCount(part.text);
  return estimateTokenCount(part.name) + estimateTokenCount(part.arguments);
}

/** Of audio about 32 tokens a second, of a PDF 1,500 a page; seconds and pages are estimated from the size. */
function pictureTokens({ mimeType, sizeBytes }: PictureReference): number {
  if (!isMediaType(mimeType) || sizeBytes === null) return IMAGE_TOKENS;
  if (mimeType === 'application/pdf') return Math.min(MAX_PDF_TOKENS, Math.max(1_500, Math.ceil(sizeBytes / 50)));
  return Math.max(32, Math.ceil(sizeBytes / 1_000));
}

const texts = new Map<string, number>();
const MAX_CACHED_TEXTS = 64;

/** Prompts are the same for every call of a session. */
function promptTokens(text: string): number {
  const before = texts.get(text);
  if (before !== undefined) return before;
  const tokens = estimateTokenCount(text);
  texts.set(text, tokens);
  for (const oldest of [...texts.keys()].slice(0, -MAX_CACHED_TEXTS)) texts.delete(oldest);
  return tokens;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
