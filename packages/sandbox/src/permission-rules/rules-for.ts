import { isIPv6 } from 'node:net';
import { isAbsolute, join } from 'node:path';
import type { ToolAction } from '@fucina/shared';
import type { ShellCommand } from './parsed-line.ts';
import { createPermissionRules } from './permission-rules.ts';
import { FAMILIES } from './rule.ts';
import { readShellLine } from './shell-line.ts';

/**
 * The narrowest rules that answer this call in the same way: the words of each command, the one file, the one host, or
 * the whole of a tool without a subject. For denying, each command of a line gets its own rule. Empty if no rule can
 * express it: a file that can run code, or a line that is known only at run time.
 */
export async function rulesFor(
  action: ToolAction,
  folder: string,
  verdict: 'allow' | 'deny',
): Promise<readonly string[]> {
  const texts = await candidates(action, folder, verdict);
  if (texts.length === 0) return [];
  const judged = await createPermissionRules({ allow: [], ask: [], deny: [], [verdict]: texts }).judge(action, folder);
  return judged?.verdict === verdict ? texts : [];
}

async function candidates(action: ToolAction, folder: string, verdict: 'allow' | 'deny'): Promise<readonly string[]> {
  const { tipo, comando, percorso, motivo, url, host } = action;
  if (FAMILIES.Network?.includes(tipo) && typeof host === 'string')
    return [`${familyOf(tipo)}(${isIPv6(host) ? `[${host}]` : host})`];
  if (verdict === 'allow' && motivo === 'file-di-controllo') return [];
  if (typeof comando === 'string') return commandRules(comando);
  if (typeof percorso === 'string') return pathRules(familyOf(tipo), percorso, folder);
  if (typeof url === 'string') return URL.canParse(url) ? [`${familyOf(tipo)}(${new URL(url).hostname})`] : [];
  return [familyOf(tipo)];
}

async function commandRules(line: string): Promise<readonly string[]> {
  const { commands, isClear, hasSideEffects } = await readShellLine(line);
  if (!isClear || hasSideEffects) return [];
  const patterns = commands.map(patternOf);
  return patterns.every((pattern) => pattern !== undefined) ? [...new Set(patterns.map((one) => `Bash(${one})`))] : [];
}

/** Its words, quoted; undefined when one is unknown or would be read as a pattern. */
function patternOf({ words }: ShellCommand): string | undefined {
  const quoted = words.map((word) => {
    if (word === null || word.includes('*') || /[\n\r]/.test(word)) return undefined;
    if (/^[^\s"']+$/.test(word)) return word;
    if (!word.includes('"')) return `"${word}"`;
    return word.includes("'") ? undefined : `'${word}'`;
  });
  return quoted.includes(undefined) ? undefined : quoted.join(' ');
}

/** A bare name would match in any folder: such a file is named from the root. */
function pathRules(family: string, path: string, folder: string): readonly string[] {
  if (/[*?{}[\]\\]/.test(path)) return [];
  const isInside = !isAbsolute(path) && !path.split('/').includes('..') && path.includes('/');
  return [`${family}(${isInside ? path.replace(/^\.\//, '') : join(isAbsolute(path) ? '/' : folder, path)})`];
}

/** The common name: `Edit` for every tool that writes. */
function familyOf(tool: string): string {
  const names = Object.keys(FAMILIES).filter((name) => FAMILIES[name]?.includes(tool));
  return names[0] ?? tool;
}
