export interface TerminalText {
  /**
   * The chunk without escape sequences and control characters, except `
   * `, `\t` and `\r`. Sequences may span chunks.
   */
  write(piece: string): string;
}

type State = 'text' | 'escape' | 'sequence' | 'string' | 'string-escape';

const CONTROL = /(?![\t\n\r])\p{Cc}/u;
/** An unterminated sequence must not swallow what follows. */
const MAX_SEQUENCE = 4096;

export function createTerminalText(): TerminalText {
  let state: State = 'text';
  let length = 0;
  return {
    write(piece) {
      if (state === 'text' && !CONTROL.test(piece)) return piece;
      let out = '';
      for (const character of piece) {
        const code = character.codePointAt(0) as number;
        if (state === 'text') {
          state = startOf(code);
          length = 0;
          if (state === 'text' && !isControl(code)) out += character;
        } else {
          state = ++length > MAX_SEQUENCE ? 'text' : next(state, code);
        }
      }
      return out;
    },
  };
}

/** The whole text as a terminal would show it: what `\r` overwrote is gone. */
export function plainOutput(text: string): string {
  const cleaned = createTerminalText().write(text);
  if (!cleaned.includes('\r')) return cleaned;
  return cleaned
    .split('\n')
    .map((line) => {
      const kept = line.endsWith('\r') ? line.slice(0, -1) : line;
      return kept.slice(kept.lastIndexOf('\r') + 1);
    })
    .join('\n');
}

function isControl(code: number): boolean {
  if (code === 0x09 || code === 0x0a || code === 0x0d) return false;
  return code < 0x20 || (code >= 0x7f && code <= 0x9f);
}

function startOf(code: number): State {
  if (code === 0x1b) return 'escape';
  if (code === 0x9b) return 'sequence';
  return isStringStart(code - 0x40) && code >= 0x90 && code <= 0x9f ? 'string' : 'text';
}

function next(state: Exclude<State, 'text'>, code: number): State {
  if (code === 0x1b && state !== 'string') return 'escape';
  switch (state) {
    case 'escape':
      if (code === 0x5b) return 'sequence';
      if (isStringStart(code)) return 'string';
      return code >= 0x20 && code <= 0x2f ? 'escape' : 'text';
    case 'sequence':
      return code >= 0x20 && code <= 0x3f ? 'sequence' : 'text';
    case 'string':
      if (code === 0x1b) return 'string-escape';
      return code === 0x07 || code === 0x9c ? 'text' : 'string';
    case 'string-escape':
      return code === 0x5c || code === 0x07 ? 'text' : 'string';
  }
}

/** `P X ] ^ _` after ESC: device, start, operating system, privacy and application strings. */
function isStringStart(code: number): boolean {
  return code === 0x50 || code === 0x58 || (code >= 0x5d && code <= 0x5f);
}
