import { doctorWords } from '@fucina/shared/sentences';
import type { CommonFlags } from '../command-facts.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { dataDirOf, withHost } from '../open-host.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const STATE_WORDS = {
  error: 'doctor.error',
  attention: 'doctor.state-attention',
  unavailable: 'doctor.unavailable',
  ok: 'doctor.ok',
} as const;

/** Works on the files directly, without opening the stores: a damaged store prevents the services from starting. */
async function repair(flags: CommonFlags, { io, say, out }: Terminal): Promise<ExitCode> {
  const { repairStores } = await import('@fucina/host');
  const repairs = await repairStores(await io.ambient('error'), await dataDirOf(io, flags));
  if (flags.json) {
    out(JSON.stringify({ repaired: repairs }));
    return EXIT.done;
  }
  if (repairs.length === 0) out(say('doctor.repair-none'));
  for (const { name, copy, tables } of repairs) {
    out(say('doctor.repaired', { name, copy }));
    if (tables.length === 0) out(say('doctor.repair-empty'));
    for (const { name: table, rows, lost } of tables) {
      const key = lost === null ? 'doctor.repair-table-unknown' : 'doctor.repair-table';
      out(say(key, { table, rows, lost: lost ?? 0 }));
    }
  }
  return EXIT.done;
}

/** Worst first; the exit code is `failed` when something is broken. */
export async function doctor(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  if (flags['repair']) return repair(flags, terminal);
  const { io, language, say, out, style } = terminal;
  const report = await withHost(io, flags, ({ services }) => services.diagnostics.doctor());
  const exit = report.state === 'broken' ? EXIT.failed : EXIT.done;
  const rows = report.rows.map((row) => ({ ...row, ...doctorWords(row, language) }));
  if (flags.json) {
    const { state, version } = report;
    out(JSON.stringify({ state, version, rows: rows.map(({ params: _params, ...row }) => row) }));
    return exit;
  }
  const paints = { error: style.danger, attention: style.accent, unavailable: style.muted, ok: style.success };
  const lines = columns(
    rows.map(({ state, title, detail }) => [
      { text: say(STATE_WORDS[state]), paint: paints[state] },
      { text: title, paint: style.bold },
      { text: detail },
    ]),
  );
  rows.forEach(({ action, state }, at) => {
    out(lines[at] ?? '');
    if (action && state !== 'ok') out(style.muted(`  → ${action}`));
  });
  out('');
  out(say(`doctor.${report.state}`));
  return exit;
}
