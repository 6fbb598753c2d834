import { readConfig } from '../config/config.ts';
import { settingsPaths } from '../config/settings-file.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { CommonFlags } from '../program.ts';
import { columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';

export async function configPath(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, style, say } = terminal;
  const { existsSync } = await import('node:fs');
  const files = settingsPaths(io, io.cwd).map((file) => ({ ...file, exists: existsSync(file.path) }));
  if (flags.json) {
    out(JSON.stringify({ files }));
    return EXIT.done;
  }
  const rows = files.map(({ scope, path, exists }) => [
    { text: scope, paint: style.bold },
    { text: say(exists ? 'config.present' : 'config.absent'), paint: style.muted },
    { text: path },
  ]);
  for (const line of columns(rows)) out(line);
  return EXIT.done;
}

/** What is in force here, and the scope that decided. */
export async function configShow(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, err, style, say } = terminal;
  const { values, warnings, permissionMode = 'default', outputFormat } = readConfig(io, io.cwd, say);
  for (const warning of warnings) err(`fucina: ${warning}`);
  const rows = new Map<string, { value: unknown; scope: string }>([
    ['permissionMode', { value: permissionMode, scope: say('config.default') }],
    ['outputFormat', { value: outputFormat, scope: say('config.default') }],
    ...values,
  ]);
  if (flags.json) {
    out(
      JSON.stringify({
        settings: Object.fromEntries([...values].map(([key, { value, scope }]) => [key, { value, scope }])),
      }),
    );
    return EXIT.done;
  }
  const cells = [...rows].map(([key, { value, scope }]) => [
    { text: key, paint: style.bold },
    { text: scope, paint: style.muted },
    { text: JSON.stringify(value) },
  ]);
  for (const line of columns(cells)) out(line);
  return EXIT.done;
}
