import type { BoardRow, Services, SessionRow } from '@fucina/host';
import type { Ambient } from '@fucina/shared';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Cell } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { stateWord } from '../sessions.ts';
import { type Flags, oneLine, shortId, show } from './listing.ts';

type Entry = BoardRow & { row: SessionRow };

/** Clears the screen and puts the cursor in its first line. */
const CLEAR = '\x1b[H\x1b[2J';

/** Sessions that run, wait or ended in the last hours; with `--watch` again whenever one changes. */
export async function showBoard(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  return withHost(terminal.io, flags, async ({ services }) => {
    if (!flags.watch) {
      print(await entriesOf(await services.sessions.board.rows(), services), flags, terminal);
      return EXIT.done;
    }
    const end = new AbortController();
    const removeListener = terminal.io.onInterrupt(() => end.abort());
    void keepAlive(await terminal.io.ambient('error'), end.signal);
    try {
      for await (const rows of services.sessions.board.follow(end.signal)) {
        if (terminal.io.stdout.isTTY && !flags.json) terminal.io.stdout.write(CLEAR);
        print(await entriesOf(rows, services), flags, terminal);
      }
    } finally {
      end.abort();
      removeListener();
    }
    return EXIT.done;
  });
}

/** Waiting for a change alone does not keep the process alive. */
async function keepAlive(ambient: Ambient, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) await ambient.sleep(60_000, signal).catch(() => undefined); // aborted
}

async function entriesOf(board: readonly BoardRow[], { sessions }: Services): Promise<Entry[]> {
  const rows = new Map((await sessions.list()).map((row) => [row.header.sessionId, row]));
  return board.flatMap((entry) => {
    const row = rows.get(entry.sessionId);
    return row ? [{ ...entry, row }] : [];
  });
}

function print(rows: readonly Entry[], flags: Flags, terminal: Terminal): void {
  const facts = ({ row: { name, header }, ...entry }: Entry) => ({ ...entry, name, folder: header.folder });
  const cells = (entry: Entry): readonly Cell[] => cellsOf(entry, terminal);
  show({ name: 'sessions', rows, empty: terminal.say('board.none'), cells, facts }, flags, terminal);
}

function cellsOf({ row, ...entry }: Entry, terminal: Terminal): readonly Cell[] {
  const { say, style } = terminal;
  const { usd, callsWithoutCost } = entry.spent;
  const { added, removed } = entry.changed;
  return [
    { text: shortId(entry.sessionId), paint: style.accent },
    { text: entry.state === 'waiting' ? say('sessions.waiting') : stateWord(row, terminal) },
    { text: oneLine(row.name, 40), paint: style.bold },
    { text: oneLine(row.header.project, 30), paint: style.muted },
    { text: `+${added} -${removed}` },
    { text: usd === 0 && callsWithoutCost > 0 ? '-' : `$${usd.toFixed(4)}` },
    { text: oneLine(entry.lastLine ?? entry.tool, 80), paint: style.muted },
  ];
}
