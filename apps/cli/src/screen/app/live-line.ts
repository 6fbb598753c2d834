import { readArguments } from '@fucina/conversation';
import { duration } from '../../duration.ts';
import type { Say } from '../../words/index.ts';
import { shortCount } from '../cards/card.ts';
import { subjectOf, toolVerb } from '../cards/tool-words.ts';
import type { LiveConversation } from '../conversation/conversation.ts';
import { type ScreenState, turnTokens } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import { alignLine } from '../render/wrap.ts';

export interface LiveFacts {
  conversation: LiveConversation;
  say: Say;
  /** Epoch ms. */
  now: number;
  /** Undefined if animation is disabled. */
  tick: number | undefined;
  /** The data folder is being opened. */
  isOpening: boolean;
  isStopping: boolean;
}

/** Minimum columns to show duration and usage. */
const TIMED_FROM = 50;
const TOKENS_FROM = 70;
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

/** The current activity and how to stop it; undefined when idle. */
export function liveLine(facts: LiveFacts, width: number): Line | undefined {
  const { conversation, say, now, tick, isOpening } = facts;
  const state = conversation.state();
  const sending = conversation.sending();
  if (!sending && !state.isRunning) return undefined;
  const mark = tick === undefined ? '●' : (SPINNER[tick % SPINNER.length] ?? '●');
  const what = sending && !state.isRunning ? say(isOpening ? 'live.starting' : 'live.sending') : doing(facts, state);
  const time = state.isRunning && state.turnStartedAt !== undefined && width >= TIMED_FROM;
  const tokens = turnTokens(state);
  const right = [
    ...(time ? [duration(wholeSeconds(now - (state.turnStartedAt ?? now)))] : []),
    ...(tokens === undefined || width < TOKENS_FROM ? [] : [say('turn.tokens', { count: shortCount(tokens) })]),
    stopHint(facts),
  ];
  const left: Line = [
    { text: ` ${mark} `, token: 'accent' },
    { text: what, token: 'text' },
  ];
  return alignLine(left, [{ text: `${right.join(' · ')} `, token: 'muted' }], width);
}

/** While a card is open Esc answers the card. */
function stopHint({ conversation, say, isStopping }: LiveFacts): string {
  if (conversation.isElsewhere()) return say('live.elsewhere');
  if (isStopping) return say('live.stopping');
  return say(conversation.request() ? 'live.stop-card' : 'live.stop');
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.floor(ms / 1_000)) * 1_000;
}

function doing({ conversation, say, now }: LiveFacts, state: ScreenState): string {
  const { retry } = state;
  if (conversation.request()) return say('live.waiting');
  if (retry?.at != null) {
    const seconds = Math.max(0, Math.ceil((retry.at - now) / 1_000));
    const why = say(`live.retry.${retry.cause}`);
    return say('live.retry', { why, seconds, attempt: retry.attempt, of: retry.maxAttempts });
  }
  if (retry) return say('live.retrying', { attempt: retry.attempt, of: retry.maxAttempts });
  const open = state.items.findLast(
    (item) =>
      (item.kind === 'tool' && !item.isOver && !item.isQueued) ||
      ((item.kind === 'text' || item.kind === 'reasoning') && item.isOpen),
  );
  if (open?.kind === 'reasoning') return say('live.thinking');
  if (open?.kind === 'text') return say('live.writing');
  if (open?.kind !== 'tool') return say('live.working');
  return `${toolVerb(open.name, false, say)} ${subjectOf(open.name, readArguments(open))}`;
}
