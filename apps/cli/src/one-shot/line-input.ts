import type { Terminal } from '../terminal.ts';
import { readLine } from './read-line.ts';
import type { InterruptHandler } from './stop.ts';

const LEAVE: ReadonlySet<string> = new Set(['/exit', '/quit']);

/** The user's next message; a line that ends with a backslash continues. Undefined when the user quits. */
export async function nextLine(terminal: Terminal, stop: InterruptHandler): Promise<string | undefined> {
  const leaving = new AbortController();
  void stop.asked().then(() => leaving.abort());
  const { accent } = terminal.errorStyle;
  const said: string[] = [];
  for (;;) {
    const line = await readLine(terminal, `${accent(said.length ? '…' : '›')} `, leaving.signal);
    if (line === undefined) return undefined;
    said.push(line.replace(/\\$/, ''));
    if (line.endsWith('\\')) continue;
    const words = said.join('\n').trim();
    if (LEAVE.has(words)) return undefined;
    if (words) return words;
    said.length = 0;
  }
}
