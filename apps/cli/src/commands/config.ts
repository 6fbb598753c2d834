import { cleanText } from '../clean-text.ts';
import type { CommonFlags } from '../command-facts.ts';
import { type Config, configWarnings, readConfig } from '../config/config.ts';
import { CONFIG_KEYS } from '../config/keys.ts';
import { problemSentence } from '../config/problem-sentence.ts';
import { ruleProblemSentence, ruleProblems } from '../config/rule-problems.ts';
import { readSettingsFile } from '../config/settings-file.ts';
import { settingsPaths } from '../config/settings-paths.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { type Cell, columns } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { placesOf, refuseUnknown } from './config-scope.ts';

/** Paths of the files. */
export async function configPath(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { out, style, say } = terminal;
  const { existsSync } = await import('node:fs');
  const files = placesOf(flags, terminal).map(({ scope, path }) => ({ scope, path, exists: existsSync(path) }));
  if (flags.json) {
    out(JSON.stringify({ files }));
    return EXIT.done;
  }
  const rows = files.map(({ scope, path, exists }) => [
    { text: scope, paint: style.bold },
    { text: say(exists ? 'config.present' : 'config.absent'), paint: style.muted },
    { text: cleanText(path) },
  ]);
  for (const line of columns(rows)) out(line);
  return EXIT.done;
}

/** Every key: its effective value with the file that sets it, or its default; then ignored settings and why. */
export async function configList(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, err, style, say } = terminal;
  const config = readConfig(io, io.cwd);
  for (const warning of configWarnings(config, say)) err(`fucina: ${warning}`);
  const rows = [...CONFIG_KEYS].flatMap(([key, { type, fallback, scopes }]) => {
    const found = config.values.get(key);
    if (flags.scope && found?.scope !== flags.scope) return [];
    const value = found ? found.value : (fallback ?? null);
    const { scope = 'default', path = null, line = null } = found ?? {};
    return [{ key, value, scope, file: path, line, type, default: fallback ?? null, scopes }];
  });
  if (flags.json) {
    const settings = Object.fromEntries(rows.map(({ key, ...row }) => [key, row]));
    out(JSON.stringify({ settings, leftOut: ignoredRows(config), projectTrusted: config.isTrusted }));
    return EXIT.done;
  }
  const cells: Cell[][] = rows.map(({ key, value, scope }) => [
    { text: key, paint: style.bold },
    { text: scope === 'default' ? say('config.default') : scope, paint: style.muted },
    { text: cleanText(JSON.stringify(value)) },
  ]);
  for (const line of columns(cells)) out(line);
  for (const { scope, path, text } of config.files) {
    if (text === undefined) continue;
    const trust = scope === 'project' ? ` (${say(config.isTrusted ? 'config.trusted' : 'config.not-trusted')})` : '';
    out(`${style.muted(`${scope}:`)} ${cleanText(path)}${trust}`);
  }
  return EXIT.done;
}

export function ignoredRows({ leftOut }: Pick<Config, 'leftOut'>) {
  return leftOut.map(({ path, ...row }) => ({ ...row, file: path }));
}

/** The effective value, or with --scope the one of that file. Exit 1 when there is none. */
export async function configGet(flags: CommonFlags, [key = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out } = terminal;
  const rule = CONFIG_KEYS.get(key);
  if (!rule) return refuseUnknown(key, terminal);
  const config = readConfig(io, io.cwd);
  const own = config.files.find(({ scope }) => scope === flags.scope)?.values.get(key)?.value;
  const found = config.values.get(key);
  const value = flags.scope ? own : (found?.value ?? rule.fallback);
  const scope = flags.scope ?? found?.scope ?? 'default';
  if (flags.json) out(JSON.stringify({ key, value: value ?? null, scope }));
  else if (value !== undefined) out(cleanText(typeof value === 'string' ? value : JSON.stringify(value)));
  return value === undefined ? EXIT.failed : EXIT.done;
}

/** Reads the files and reports all errors in them, with file, line and column. */
export async function configValidate(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, out, say } = terminal;
  const isWanted = ({ scope }: { scope: string }): boolean => flags.scope === undefined || scope === flags.scope;
  const files = settingsPaths(io, io.cwd).filter(isWanted).map(readSettingsFile);
  const ofFiles = files.flatMap(({ scope, path, problems: own }) =>
    own.map((problem) => ({ ...problem, scope, file: path, message: problemSentence(path, problem, say) })),
  );
  const ofRules = (await ruleProblems(files)).map((found) => {
    const { scope, path, key, line, column, rule } = found;
    return { kind: 'rule', key, line, column, rule, scope, file: path, message: ruleProblemSentence(found, say) };
  });
  const problems = [...ofFiles, ...ofRules];
  if (flags.json) out(JSON.stringify({ valid: problems.length === 0, problems }));
  else if (problems.length === 0) out(say('config.valid'));
  else for (const { message } of problems) out(message);
  return problems.length === 0 ? EXIT.done : EXIT.configuration;
}
