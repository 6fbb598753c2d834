import { cleanLine } from '../../clean-text.ts';
import { isWordKey } from '../../words/index.ts';
import type { ScreenItem } from '../conversation/state.ts';
import { wrapLine } from '../render/wrap.ts';
import { type Card, type CardLook, shortCount } from './card.ts';

/** Events of the conversation itself: one line each. */
const KINDS = ['artifact', 'compaction', 'elicitation', 'fallback', 'mode', 'resumed', 'undo', 'workflow'] as const;
type EventKind = (typeof KINDS)[number];
type EventItem = Extract<ScreenItem, { kind: EventKind }>;

const NAME_WIDTH = 120;

export function isEvent({ kind }: ScreenItem): boolean {
  return KINDS.some((one) => one === kind);
}

export const eventCard: Card<EventKind> = (item, { width, say }) =>
  wrapLine([{ text: `· ${sentenceOf(item, say)}`, token: item.kind === 'fallback' ? 'warning' : 'muted' }], width, {
    rest: [{ text: '  ' }],
  });

function sentenceOf(item: EventItem, say: CardLook['say']): string {
  switch (item.kind) {
    case 'compaction': {
      const { state, before, after } = item;
      if (state !== 'done') return say(`event.compaction-${state}`);
      return say('event.compaction-done', { before: shortCount(before ?? 0), after: shortCount(after ?? 0) });
    }
    case 'fallback':
      return say('event.fallback', { from: cleanLine(item.from, NAME_WIDTH), to: cleanLine(item.to, NAME_WIDTH) });
    case 'mode':
      return say(item.isPlanning ? 'event.planning' : 'event.not-planning');
    case 'resumed':
      return say('event.resumed');
    case 'undo': {
      const what = say(item.isUndo ? 'event.undone' : 'event.redone', { count: item.files });
      return item.skipped > 0 ? `${what} ${say('event.undo-skipped', { count: item.skipped })}` : what;
    }
    case 'workflow':
      return say('event.workflow', {
        title: cleanLine(item.title, NAME_WIDTH),
        status: statusWord(item.status, say),
      });
    case 'elicitation':
      return say(`event.${item.sampling ? 'sampling' : 'elicitation'}-${item.state}`, {
        server: cleanLine(item.server, NAME_WIDTH),
        message: cleanLine(item.message, NAME_WIDTH),
      });
    case 'artifact':
      return say('event.artifact', { title: cleanLine(item.title, NAME_WIDTH) });
  }
}

function statusWord(status: string, say: CardLook['say']): string {
  const key = `run.${status}`;
  return isWordKey(key) ? say(key) : cleanLine(status, NAME_WIDTH);
}
