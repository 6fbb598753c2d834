import { realpath } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { type Environment, homeOf, isWithin } from '@fucina/shared';
import { controlPartsOf, isControlFile } from '../control-files/control-files.ts';
import { FAMILIES, parseRule, type Rule } from '../permission-rules/rule.ts';

/** A rule of the user that allows one thing for sandboxed commands, in the grammar of permission rules. */
export type SandboxRule =
  /** `Network(host)`, `Network(localhost:3000)`. */
  | { kind: 'network'; text: string }
  /** `Read(/absolute/path)`: a folder or file outside the project. `path` is absolute and real. */
  | { kind: 'read'; text: string; path: string }
  /** `Write(.github/workflows/**)`: control files of the project. `path` is relative, `/`-separated, without wildcards. */
  | { kind: 'write'; text: string; path: string };

export type SandboxRuleProblem =
  | 'rule-malformed'
  | 'rule-other-tool'
  | 'rule-wildcard'
  | 'rule-outside-project'
  | 'rule-not-control-file'
  | 'rule-path-missing'
  | 'rule-path-relative'
  | 'rule-path-too-wide'
  | 'rule-path-system'
  | 'rule-path-data';

export interface RuleFacts {
  environment: Environment;
  /** Absolute real path. */
  dataDir: string;
}

export type ReadRule = SandboxRule | { problem: SandboxRuleProblem };

/**
 * Contains sockets, devices and the temporary files of other programs: a read-only view of them would not protect
 * anything.
 */
const SYSTEM_STATE = ['/proc', '/sys', '/dev', '/run', '/var/run', '/tmp', '/var/tmp', '/private/tmp', '/private/var'];

/** Parses a rule and reports what is wrong with it. The returned text is its canonical form. */
export async function readSandboxRule(text: string, facts: RuleFacts): Promise<ReadRule> {
  const { rule, problem } = parseRule(text);
  const kind = kindOf(rule);
  if (problem === 'malformed') return { problem: 'rule-malformed' };
  if (kind === undefined) return { problem: 'rule-other-tool' };
  if (problem) return { problem: 'rule-malformed' };
  if (kind === 'network') return { kind, text: `Network(${innerOf(text)})` };
  if (rule.pattern?.kind !== 'path') return { problem: kind === 'read' ? 'rule-path-too-wide' : 'rule-wildcard' };
  const path = rule.pattern.path.replace(/\/(?:\*\*)?$/, '');
  if (/[*?{}[\]\\]/.test(path)) return { problem: 'rule-wildcard' };
  const isFolder = rule.pattern.path.endsWith('/**');
  return kind === 'read' ? readableRule(path, facts) : writableRule(path, isFolder);
}

/** Parses a stored rule; undefined for one that this version does not support. */
export function storedRule(text: string): SandboxRule | undefined {
  const { rule, problem } = parseRule(text);
  const kind = kindOf(rule);
  if (kind === undefined || problem) return undefined;
  if (kind === 'network') return { kind, text };
  const path = rule.pattern?.kind === 'path' ? rule.pattern.path.replace(/\/\*\*$/, '') : undefined;
  return path === undefined ? undefined : { kind, text, path };
}

/** Whether a rule lets a path of the project be written; a bare name matches in any folder, as in every rule. */
export function opensPath(rulePath: string, path: string): boolean {
  const parts = posix.normalize(path).split('/');
  if (parts.includes('..')) return false;
  if (!rulePath.includes('/')) return parts.includes(rulePath);
  return isWithin(`/${posix.normalize(rulePath)}`, `/${parts.join('/')}`);
}

function kindOf({ tools }: Rule): SandboxRule['kind'] | undefined {
  if (tools === FAMILIES.Network) return 'network';
  if (tools === FAMILIES.Read) return 'read';
  return tools === FAMILIES.Write || tools === FAMILIES.Edit ? 'write' : undefined;
}

function innerOf(text: string): string {
  return (/\((.*)\)\s*$/s.exec(text)?.[1]?.trim() ?? '*').toLowerCase();
}

/** The real path is stored: a link changed later does not redirect the rule. */
async function readableRule(path: string, { environment, dataDir }: RuleFacts): Promise<ReadRule> {
  const home = await realpath(homeOf(environment)).catch(() => homeOf(environment));
  const named = path === '~' ? home : path.startsWith('~/') ? join(home, path.slice(2)) : path;
  if (!named.startsWith('/')) return { problem: named === '' ? 'rule-path-too-wide' : 'rule-path-relative' };
  const real = await realpath(named).catch(() => undefined);
  if (real === undefined) return { problem: 'rule-path-missing' };
  if (isWithin(real, home)) return { problem: 'rule-path-too-wide' };
  if (isWithin(real, dataDir) || isWithin(dataDir, real)) return { problem: 'rule-path-data' };
  if (SYSTEM_STATE.some((place) => isWithin(place, real))) return { problem: 'rule-path-system' };
  // A rule cannot express it: its path would be read as a pattern.
  if (/[*?{}[\]\\()\n\r]/.test(real)) return { problem: 'rule-wildcard' };
  return { kind: 'read', text: `Read(${real})`, path: real };
}

function writableRule(named: string, isFolder: boolean): ReadRule {
  const path = posix.normalize(named).replace(/^\.\//, '');
  const isOutside = /^([/~]|[a-z]:)/i.test(named) || path === '..' || path.startsWith('../');
  if (isOutside) return { problem: 'rule-outside-project' };
  const isKnown = isControlFile(path) || controlPartsOf(posix.basename(path)).length > 0;
  if (!isKnown) return { problem: 'rule-not-control-file' };
  return { kind: 'write', text: `Write(${path}${isFolder ? '/**' : ''})`, path };
}
