import type { Output } from '../../io.ts';

/** Terminals drop longer ones. */
const MAX_BYTES = 74_000;

/** Puts a text on the clipboard of whoever looks at the terminal, near or far. False when it is too long for it. */
export function copyToTerminal(text: string, stdout: Output): boolean {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES) return false;
  stdout.write(`\x1b]52;c;${bytes.toString('base64')}\x07`);
  return true;
}
