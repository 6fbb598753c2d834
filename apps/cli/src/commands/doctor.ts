import { doctorWords } from '@fucina/shared/sentences';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { withHost } from '../open-host.ts';
import type { CommonFlags } from '../program.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

const STATE_WORDS = {
  error: 'doctor.error',
  attention: 'doctor.state-attention',
  unavailable: 'doctor.unavailable',
  ok: 'doctor.ok',
} as const;

/** Worst first; ends with `failed` when something is broken. */
export async function doctor(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
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
