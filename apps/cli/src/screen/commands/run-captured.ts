import { Readable, Writable } from 'node:stream';
import { EXIT } from '../../exit-codes.ts';
import type { Io, Output } from '../../io.ts';
import { textLines, wrapLine } from '../render/wrap.ts';
import type { Workbench } from '../workbench.ts';

/** Longer output opens as a page. */
const NOTICE_LINES = 12;

/** Runs a command of the command line in the project folder and shows its output on the screen. */
export async function runTool(args: readonly string[], workbench: Workbench): Promise<void> {
  const { terminal, dir, host, tell, page, runProgram } = workbench;
  const seen = { stdout: '', stderr: '' };
  const io: Io = {
    ...terminal.io,
    cwd: dir,
    stdin: Readable.from([]),
    stdout: into((text) => (seen.stdout += text)),
    stderr: into((text) => (seen.stderr += text)),
  };
  const exit = await runProgram([...args, ...flagsOf(host)], io);
  const title = args.join(' ');
  const text = [seen.stdout, seen.stderr]
    .map((part) => part.trimEnd())
    .filter(Boolean)
    .join('\n');
  const lines = textLines(text);
  if (exit === EXIT.done && lines.length > NOTICE_LINES)
    return page(title, (width) => lines.flatMap((line) => wrapLine(line, width, { isExact: true })));
  tell({ title, tone: exit === EXIT.done ? 'info' : 'warning', body: lines });
}

function flagsOf({ dataDir, keyStore }: Workbench['host']): string[] {
  return [...(dataDir ? ['--data-dir', dataDir] : []), ...(keyStore ? ['--key-store', keyStore] : [])];
}

function into(take: (text: string) => void): Output {
  return new Writable({
    write(chunk, _encoding, done) {
      take(String(chunk));
      done();
    },
  });
}

/** Splits a line into words like a shell: with quotes and backslash escapes. */
export function shellWords(line: string): string[] {
  const words = line.matchAll(/(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"?|'[^']*'?)+/gs);
  return [...words].map(([word]) =>
    [...word.matchAll(/"((?:[^"\\]|\\.)*)"?|'([^']*)'?|\\?(.)/gs)].map(pieceOf).join(''),
  );
}

function pieceOf([, double, single, one = '']: RegExpMatchArray): string {
  return double === undefined ? (single ?? one) : double.replace(/\\(["\\])/g, '$1');
}
