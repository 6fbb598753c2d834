import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { AppError, isWithin, placeAt, placeInString, systemCode } from '@fucina/shared';
import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import { CONFIG_KEYS, FORMAT_VERSION, GROUPS, keysNear, type Scope } from './keys.ts';
import type { SettingsPlace } from './settings-paths.ts';

/** One parsed settings file: keys with dots. */
export interface SettingsFile {
  scope: Scope;
  path: string;
  /** Undefined: the file does not exist. */
  text: string | undefined;
  /** SHA-256 of that text. */
  digest: string | undefined;
  values: ReadonlyMap<string, FoundValue>;
  problems: readonly Problem[];
}

export interface FoundValue {
  value: unknown;
  line: number;
  /** Of a key of an object, or of an element of a list, inside the value; `at`: in the text that the element is. */
  placeIn(path: readonly (string | number)[], at?: number): { line: number; column: number };
  /** Spelling of the key in this file, including dotted names. */
  spelling: readonly string[];
}

export type ProblemKind = 'unreadable' | 'outside' | 'syntax' | 'version' | 'twice' | 'value' | 'unknown' | 'scope';

export interface Problem {
  kind: ProblemKind;
  line?: number;
  column?: number;
  key?: string;
  /** The expected value. */
  allowed?: string;
}

/** With one of these problems a file is neither used nor changed. */
const BROKEN: readonly ProblemKind[] = ['unreadable', 'outside', 'syntax', 'version', 'twice'];

const MAX_BYTES = 1_048_576;

/** Never throws: errors are among the problems. A missing file has no settings. */
export function readSettingsFile(place: SettingsPlace): SettingsFile {
  const { scope, path } = place;
  const file = { scope, path, text: undefined, digest: undefined, values: new Map<string, FoundValue>() };
  const read = readText(place);
  if (read === undefined) return { ...file, problems: [] };
  if (typeof read !== 'string') return { ...file, problems: [read] };
  return { ...file, text: read, digest: digestOf(read), ...parseSettings(read, scope) };
}

export function parseSettings(text: string, scope: Scope): Pick<SettingsFile, 'values' | 'problems'> {
  const values = new Map<string, FoundValue>();
  const root = parse(text);
  if ('kind' in root) return { values, problems: [root] };
  const problems: Problem[] = [];
  const take = (key: string, { name, node }: { name: Node; node: Node }, spelling: readonly string[]): void => {
    const rule = CONFIG_KEYS.get(key);
    const place = placeAt(text, node.offset);
    const placeOfKey = placeAt(text, name.offset);
    const value = valueOf(node);
    if (values.has(key)) problems.push({ kind: 'twice', key, ...placeOfKey });
    else if (!rule) problems.push({ kind: 'unknown', key, ...placeOfKey, allowed: keysNear(key).join(', ') });
    else if (!rule.fits(value)) {
      problems.push({ kind: key === 'version' ? 'version' : 'value', key, ...place, allowed: rule.type });
    } else {
      if (!rule.scopes.includes(scope))
        problems.push({ kind: 'scope', key, ...place, allowed: rule.scopes.join(', ') });
      const placeIn: FoundValue['placeIn'] = (path, at) => {
        const { offset } = partOf(node, path);
        return at === undefined ? placeAt(text, offset) : placeInString(text, offset, at);
      };
      values.set(key, { value, line: place.line, placeIn, spelling });
    }
  };
  const walk = (group: Node, prefix: string, above: readonly string[]): void => {
    for (const { children: [name, node] = [] } of group.children ?? []) {
      if (!name || !node) continue;
      const key = prefix + String(name.value);
      const spelling = [...above, String(name.value)];
      if (!GROUPS.has(key)) take(key, { name, node }, spelling);
      else if (node.type === 'object') walk(node, `${key}.`, spelling);
      else problems.push({ kind: 'syntax', key, ...placeAt(text, node.offset), allowed: '{…}' });
    }
  };
  walk(root, '', []);
  return { values, problems };
}

/** The first problem that makes the file unusable. Invalid values count unless the file is to be fixed. */
export function fatalProblem({ problems }: Pick<SettingsFile, 'problems'>, isMending = false): Problem | undefined {
  return problems.find(({ kind }) => BROKEN.includes(kind) || (!isMending && kind === 'value'));
}

/** `path:line:column`, as far as it is known. */
export function placeOf(path: string, { line, column }: Pick<Problem, 'line' | 'column'>): string {
  return [path, line, column].filter((part) => part !== undefined).join(':');
}

/** CONFIG_INVALID, naming file, line, column, key and the allowed values. */
export function invalidFile(path: string, problem: Problem): AppError {
  const { key, allowed } = problem;
  const place = placeOf(path, problem);
  const what = key === undefined ? '' : `: ${key}`;
  const setting = `${place}${what}${allowed ? ` (${allowed})` : ''}`;
  return new AppError('CONFIG_INVALID', { params: { setting }, details: { path, problem } });
}

function readText({ path, root }: SettingsPlace): string | Problem | undefined {
  try {
    if (root !== undefined && !isWithin(root, realpathSync(path))) return { kind: 'outside' };
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return { kind: 'unreadable' };
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { kind: 'unreadable' };
  }
}

function parse(text: string): Node | Problem {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    // Nested so deeply that the recursive parser ran out of stack.
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'syntax' };
  }
  const [first] = errors;
  if (first) return { kind: 'syntax', ...placeAt(text, first.offset) };
  if (root?.type !== 'object') return { kind: 'syntax', line: 1, column: 1, allowed: '{…}' };
  return root;
}

/** The name of a key that ends the path, else the value there; the last that exists. */
function partOf(node: Node, [step, ...rest]: readonly (string | number)[]): Node {
  if (step === undefined) return node;
  if (node.type === 'array') {
    const element = node.children?.[Number(step)];
    return element ? partOf(element, rest) : node;
  }
  const [name, value] = node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children ?? [];
  if (rest.length === 0) return name ?? node;
  return value ? partOf(value, rest) : (name ?? node);
}

function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as unknown;
  const entries = (node.children ?? []).map(({ children: [name, value] = [] }) => [
    String(name?.value),
    value && valueOf(value),
  ]);
  return Object.fromEntries(entries) as unknown;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Whether the file uses an older format; undefined without a version, which means the current one. */
export function isOldFormat({ values }: Pick<SettingsFile, 'values'>): boolean {
  const version = values.get('version')?.value;
  return version !== undefined && version !== FORMAT_VERSION;
}
