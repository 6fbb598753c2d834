import { realpath } from 'node:fs/promises';
import type { Extensions, RowsOrProblem } from '@fucina/host';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Cell } from '../../table.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';

/** Extensions of the project in the current folder; forged tools are the user's own. */
export type Kind = 'hooks' | 'plugins' | 'skills' | 'forge';

/** The common fields of the five kinds, as far as each has them. */
interface Row {
  id: string;
  name?: string;
  title?: string;
  description?: string;
  command?: string;
  args?: readonly string[];
  isTrusted?: boolean;
  isEnabled?: boolean;
}

export async function listExtensions(kind: Kind, flags: Flags, terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const folder = await realpath(io.cwd);
  const listed = await within<RowsOrProblem<Row>>(flags, terminal, async (extensions) =>
    rowsOf(extensions, kind, folder),
  );
  if ('problem' in listed) {
    err(`fucina: ${say('extensions.unreadable', { why: oneLine(listed.problem, 300) })}`);
    return EXIT.failed;
  }
  const cells = (row: Row): Cell[] => cellsOf(row, terminal);
  show({ name: kind, rows: listed.rows, empty: say(`${kind}.none`), cells }, flags, terminal);
  return EXIT.done;
}

async function rowsOf(extensions: Extensions, kind: Kind, folder: string): Promise<RowsOrProblem<Row>> {
  const listed = await (kind === 'forge' ? extensions.forge.list() : extensions[kind].list(folder));
  return 'problem' in listed ? listed : { rows: listed.rows.map((row) => ({ ...row })) };
}

/** Trusts the current version on disk; `list` shows what would run. */
export async function trustExtension(
  kind: 'hooks' | 'plugins',
  flags: Flags,
  { id, terminal }: { id: string | undefined; terminal: Terminal },
): Promise<ExitCode> {
  const folder = await realpath(terminal.io.cwd);
  await within(flags, terminal, (extensions) => extensions[kind].trust(folder, id ?? ''));
  reportDone(terminal.say('extensions.now-trusted', { id: oneLine(id) }), { id, isTrusted: true }, { flags, terminal });
  return EXIT.done;
}

export async function switchForged(
  isEnabled: boolean,
  flags: Flags,
  { id, terminal }: { id: string | undefined; terminal: Terminal },
): Promise<ExitCode> {
  await within(flags, terminal, ({ forge }) => forge.enable(id ?? '', isEnabled));
  const sentence = terminal.say(isEnabled ? 'forge.on' : 'forge.off', { id: oneLine(id) });
  reportDone(sentence, { id, isEnabled }, { flags, terminal });
  return EXIT.done;
}

function within<Result>(flags: Flags, { io }: Terminal, act: (opened: Extensions) => Promise<Result>): Promise<Result> {
  return withHost(io, flags, async ({ services }) => act(await services.extensions()));
}

function cellsOf(row: Row, { say, style }: Terminal): Cell[] {
  const isOn = row.isTrusted ?? row.isEnabled;
  const state =
    row.isTrusted === undefined
      ? isOn
        ? 'automation.on'
        : 'automation.off'
      : isOn
        ? 'extensions.trusted'
        : 'extensions.not-trusted';
  const what = [row.command, ...(row.args ?? [])].filter(Boolean).join(' ');
  return [
    { text: oneLine(row.id, 60), paint: style.accent },
    ...(isOn === undefined ? [] : [{ text: say(state), paint: isOn ? style.success : style.danger }]),
    { text: oneLine(row.name ?? row.title ?? what, 60), paint: style.bold },
    { text: oneLine(row.description), paint: style.muted },
  ];
}
