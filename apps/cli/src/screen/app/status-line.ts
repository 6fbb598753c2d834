import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';
import { dollars, shortCount } from '../cards/card.ts';
import { contextPercent, percentOf } from '../cards/context-percent.ts';
import type { LiveConversation } from '../conversation/conversation.ts';
import type { Line, Span, Token } from '../line.ts';
import { lineWidth } from '../render/width.ts';
import { alignLine, cutLine } from '../render/wrap.ts';
import type { ContextWindow } from '../workbench.ts';

export interface StatusFacts {
  conversation: LiveConversation;
  /** Shown for the folder. */
  folder: string;
  say: Say;
}

const NAME_WIDTH = 48;

/**
 * Model, permissions and folder on the left; usage on the right. With little room, the least important parts are
 * dropped first.
 */
export function statusLine(facts: StatusFacts, width: number): Line {
  const right = join(usage(facts, width));
  const left = leftParts(facts);
  const room = width - lineWidth(right) - 2;
  let count = left.length;
  while (count > 1 && lineWidth(join(left.slice(0, count))) > room) count -= 1;
  const shown = join(left.slice(0, count));
  return cutLine(alignLine([{ text: ' ' }, ...shown], right.length ? [...right, { text: ' ' }] : [], width), width);
}

function leftParts({ conversation, folder, say }: StatusFacts): Line[] {
  const { model, effort, level, mode, isUnattended } = conversation.choice();
  const { branch } = conversation.state();
  const name: Span = model
    ? { text: cleanLine(model, NAME_WIDTH), isBold: true }
    : { text: say('status.no-model'), token: 'warning' };
  const tone: Token = level === 'Full access' ? 'danger' : mode === 'plan' ? 'info' : 'muted';
  const permissions = mode === 'plan' ? say('status.plan') : level;
  const where = branch ? `${folder} (${cleanLine(branch, NAME_WIDTH)})` : folder;
  return [
    [name],
    [{ text: permissions, token: tone }],
    ...(effort ? [[{ text: effort, token: 'muted' } as const]] : []),
    ...(isUnattended ? [[{ text: say('status.unattended'), token: 'warning' } as const]] : []),
    [{ text: where, token: 'muted' }],
  ];
}

function usage({ conversation, say }: StatusFacts, width: number): Line[] {
  const { usd, declared } = conversation.state().totalCost;
  const { messages, isPaused } = conversation.queue();
  const { usedTokens, window } = conversation.context();
  const parts: Line[] = [];
  if (messages.length) {
    const text = say(isPaused ? 'status.queue-paused' : 'status.queue', { count: messages.length });
    parts.push([{ text, token: isPaused ? 'warning' : 'info' }]);
  }
  if (usedTokens !== undefined) parts.push([gauge(usedTokens, window, { say, width })]);
  if (declared > 0) parts.push([{ text: dollars(usd), token: 'muted' }]);
  return parts;
}

const NEAR_FULL = 75;
/** Minimum columns to show the assumed size. */
const WIDE = 70;

function gauge(tokens: number, window: ContextWindow | undefined, { say, width }: { say: Say; width: number }): Span {
  if (!window) return { text: say('status.context-tokens', { tokens: shortCount(tokens) }), token: 'muted' };
  const percent = percentOf(tokens, window);
  const isShort = window.isAssumed && width < WIDE;
  const text = isShort ? say('status.context-short', { percent }) : contextPercent(tokens, window, say);
  return { text, token: percent >= NEAR_FULL ? 'warning' : 'muted' };
}

function join(parts: readonly Line[]): Line {
  return parts.flatMap((part, index) => (index === 0 ? part : [{ text: ' · ', token: 'line' as const }, ...part]));
}
