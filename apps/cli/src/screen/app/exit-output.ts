import type { Say } from '../../words/index.ts';
import type { CardLook } from '../cards/card.ts';
import type { ItemDrawer } from '../cards/draw-item.ts';
import type { ScreenState } from '../conversation/state.ts';
import type { Line } from '../line.ts';
import { wrapLine } from '../render/wrap.ts';

export interface ExitOutputFacts {
  state: ScreenState;
  sessionId: string;
  look: CardLook;
  drawer: ItemDrawer;
  say: Say;
  /** The whole conversation, or only how to resume it. */
  isWhole: boolean;
}

/** Only the end of a long conversation: a terminal's scrollback is limited. */
const MAX_ROWS = 5_000;

/** Printed to the terminal after the screen closes. */
export function exitLines({ state, sessionId, look, drawer, say, isWhole }: ExitOutputFacts): Line[] {
  const blocks = isWhole ? state.items.map((item) => drawer.draw(item, look, false)) : [];
  const rows = blocks.filter(({ length }) => length > 0).flatMap((lines): Line[] => [...lines, []]);
  const hint = wrapLine([{ text: say('exit.resume', { id: sessionId }), token: 'muted' }], look.width);
  return [...rows.slice(-MAX_ROWS), ...hint];
}
