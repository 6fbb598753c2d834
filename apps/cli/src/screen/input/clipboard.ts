import type { Output } from '../../io.ts';

/** Terminals drop longer ones. */
const MAX_BYTES = 74_000;

/** Copies a text to the clipboard of the user's terminal, local or remote. False when it is too long. */
export function copyToTerminal(text: string, stdout: Output): boolean {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES) return false;
  stdout.write(`\x1b]52;c;${bytes.toString('base64')}\x07`);
  return true;
}
