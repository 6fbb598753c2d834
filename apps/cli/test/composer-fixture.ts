import { PassThrough, Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { systemAmbient } from '@fucina/shared';
import type { Io } from '../src/io.ts';
import type { Candidate } from '../src/screen/input/completion/candidate.ts';
import { ranked } from '../src/screen/input/completion/fuzzy.ts';
import { type Composer, createComposer, type Draft } from '../src/screen/input/composer.ts';
import { createHistory } from '../src/screen/input/history.ts';
import { createKeymap } from '../src/screen/input/keymap.ts';
import { createDecoder } from '../src/screen/input/keys.ts';
import type { SessionChoice, Workbench } from '../src/screen/workbench.ts';
import { createTerminal } from '../src/terminal.ts';

export interface ComposerFixture {
  composer: Composer;
  sent: (Draft & { how: string | undefined })[];
  /** Counts Enter without a text. */
  nothing: { count: number };
  /** Sends terminal input; returns whether the composer handled the last of it. */
  press(...bytes: string[]): Promise<boolean>;
  /** Its rows, without the frame; | marks the cursor. */
  text(): string;
  rows(width?: number, height?: number): string[];
  written(): string;
}

export const KEYS = {
  up: '\x1b[A',
  down: '\x1b[B',
  esc: '\x1b',
  tab: '\t',
  enter: '\r',
  'ctrl+r': '\x12',
  'alt+v': '\x1bv',
  'shift+left': '\x1b[1;2D',
  backspace: '\x7f',
} as const;

const COMMANDS = ['/help', '/model ', '/mcp ', '/memory '];

export function composerFixture(
  given: {
    isBusy?: boolean;
    takesNothing?: boolean;
    said?: string[];
    choice?: Partial<SessionChoice>;
    files?: string[];
  } = {},
): ComposerFixture {
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: 60 });
  const io: Io = {
    env: {},
    cwd: '/nowhere',
    home: '/home/me',
    stdin: Readable.from([]),
    stdout,
    stderr: stdout,
    onInterrupt: () => () => undefined,
    onEnd: () => () => undefined,
    ambient: async () => systemAmbient('silent'),
  };
  const ambient = systemAmbient('silent');
  const history = createHistory({ ambient, dataDir: Promise.resolve(undefined) });
  for (const entry of given.said ?? []) history.add(entry);
  const sent: ComposerFixture['sent'] = [];
  const nothing = { count: 0 };
  const composer = createComposer({
    terminal: createTerminal(io),
    ambient,
    keymap: createKeymap(),
    history,
    dir: '/nowhere',
    workbench: new Promise<Workbench>(() => undefined),
    isBusy: () => given.isBusy ?? false,
    choice: () => ({
      model: null,
      effort: undefined,
      level: 'Workspace write',
      mode: 'normal',
      isUnattended: false,
      ...given.choice,
    }),
    send: (draft, how) => sent.push({ ...draft, how }),
    sendNothing: () => {
      nothing.count += 1;
      return given.takesNothing ?? false;
    },
    async candidates(trigger): Promise<Candidate[]> {
      const all =
        trigger.kind === 'command' ? COMMANDS : trigger.kind === 'file' ? (given.files ?? []) : ['show', 'clear'];
      const rows = all.map((text) => ({
        text: trigger.kind === 'file' ? `@${text} ` : text,
        label: text.trim(),
        isWhole: trigger.kind !== 'file',
      }));
      return ranked(trigger.query, rows, ({ label }) => label);
    },
    changed: () => undefined,
  });
  const decoder = createDecoder();
  const rows = (width = 60, height = 40): string[] =>
    composer.draw({ width, height }).lines.map((line) => line.map(({ text }) => text).join(''));
  return {
    composer,
    sent,
    nothing,
    rows,
    text() {
      const { lines, cursor } = composer.draw({ width: 60, height: 40 });
      const all = lines.map((line) => line.map(({ text }) => text).join(''));
      if (cursor) {
        const row = all[cursor.row] ?? '';
        all[cursor.row] = `${row.slice(0, cursor.column)}|${row.slice(cursor.column)}`;
      }
      return all
        .filter((row) => row.startsWith('│'))
        .map((row) => row.slice(4).replace(/ *│$/, ''))
        .join('\n');
    },
    async press(...bytes) {
      let isTaken = false;
      for (const one of bytes) {
        const inputs = decoder.push(Buffer.from(one));
        for (const input of decoder.waits() ? [...inputs, ...decoder.settle()] : inputs) isTaken = composer.take(input);
        await turn();
      }
      return isTaken;
    },
    written: () => String(stdout.read() ?? ''),
  };
}
