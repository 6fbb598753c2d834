import { cleanLine } from '../../clean-text.ts';
import type { Io } from '../../io.ts';

type Env = Io['env'];

const TEXT_WIDTH = 120;
const BELL = '\x07';

/** The bytes of a terminal notification; empty if the user disabled them. */
export function notification(how: 'auto' | 'bell' | 'off', text: string, env: Env): string {
  if (how === 'off') return '';
  const words = cleanLine(text, TEXT_WIDTH).replaceAll(';', ',');
  if (how === 'auto' && showsNotes(env)) return `\x1b]9;${words}${BELL}`;
  if (how === 'auto' && showsTitledNotes(env)) return `\x1b]777;notify;Fucina;${words}${BELL}`;
  return BELL;
}

/** Terminals known to support it. Through a multiplexer only the bell works. */
function showsNotes({ TERM_PROGRAM, TERM, TMUX, STY }: Env): boolean {
  if (TMUX || STY) return false;
  return /^(iTerm\.app|WezTerm|ghostty)$/i.test(TERM_PROGRAM ?? '') || /^xterm-(kitty|ghostty)$/.test(TERM ?? '');
}

function showsTitledNotes({ TERM, TMUX, STY }: Env): boolean {
  return !TMUX && !STY && /^(rxvt-unicode|foot)/.test(TERM ?? '');
}
