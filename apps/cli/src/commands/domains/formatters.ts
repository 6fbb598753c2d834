import type { FormatterRow } from '@fucina/host';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Flags, oneLine, reportDone, show } from './listing.ts';

/** Formatters that are installed for the project in the current folder. */
export async function listFormatters(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, style } = terminal;
  const rows = await withHost(io, flags, ({ services }) => services.language.formatters({ path: io.cwd }));
  const stateOf = ({ isOn, isTrusted }: FormatterRow): string =>
    say(isOn ? (isTrusted ? 'formatters.on' : 'formatters.changed') : 'formatters.off');
  const cells = (row: FormatterRow) => [
    { text: row.id, paint: style.accent },
    { text: stateOf(row) },
    { text: oneLine(row.extensions.join(' '), 80) },
    { text: oneLine(row.command, 200), paint: style.muted },
  ];
  show({ name: 'formatters', rows, empty: say('formatters.none'), cells }, flags, terminal);
  return EXIT.done;
}

export async function switchFormatter(
  isOn: boolean,
  flags: Flags,
  { id = '', terminal }: { id: string | undefined; terminal: Terminal },
): Promise<ExitCode> {
  const { io, say } = terminal;
  const target = { path: io.cwd, id, isOn };
  await withHost(io, flags, ({ services }) => services.language.turnFormatter(target));
  reportDone(say(isOn ? 'formatters.now-on' : 'formatters.now-off', { id }), { id, isOn }, { flags, terminal });
  return EXIT.done;
}
