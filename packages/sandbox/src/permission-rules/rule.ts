import { matchesName } from '@fucina/shared';
import { type HostPattern, parseHostPattern } from './host-pattern.ts';
import type { Word } from './parsed-line.ts';
import { alternativesOf } from './places.ts';
import { baseName } from './shell-line.ts';

/** A parsed `Tool(pattern)` rule. */
export interface Rule {
  /** As the user wrote it. */
  text: string;
  /** Tool names of the interface; with `*` for those of MCP servers and forged tools. */
  tools: readonly string[];
  /** Absent: every call of the tool. */
  pattern?: RulePattern;
}

export type RulePattern =
  | { kind: 'command'; words: readonly string[] }
  | { kind: 'path'; path: string }
  | { kind: 'address'; host: string }
  | ({ kind: 'host' } & HostPattern);

export type RuleProblem = 'malformed' | 'unknown-tool' | 'no-pattern';

/** The common English names of tools, besides the interface's own. */
export const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Bash: ['shell', 'prova'],
  Read: ['leggi', 'cerca', 'elenca'],
  Edit: ['file_edit', 'scrivi', 'document_create', 'generate_image'],
  Write: ['scrivi', 'document_create', 'generate_image'],
  WebFetch: ['naviga'],
  WebSearch: ['web_search'],
  Task: ['delega_sottotask'],
  Network: ['rete'],
};

const FAMILY_NAMES = new Map(Object.keys(FAMILIES).map((name) => [name.toLowerCase(), name]));

const COMMAND_TOOLS = new Set(FAMILIES.Bash);
const PATH_TOOLS = new Set(['leggi', 'cerca', 'elenca', 'file_edit', 'scrivi', 'document_create', 'generate_image']);
const ADDRESS_TOOLS = new Set(FAMILIES.WebFetch);
const NETWORK_TOOLS = new Set(FAMILIES.Network);

const NAME = /^[A-Za-z_*][\w*.-]*/;

/** The tool that a rule names, as written; undefined for a text that begins with no name. */
export const namedTool = (text: string): string | undefined => NAME.exec(text.trim())?.[0];

/**
 * `Tool` or `Tool(pattern)`. A problem is returned, with its offset in the text, together with the part of the rule that
 * can be applied: the whole tool that it names.
 */
export function parseRule(text: string): { rule: Rule; problem?: RuleProblem; at?: number } {
  const start = text.length - text.trimStart().length;
  const name = namedTool(text);
  if (name === undefined) return { rule: { text, tools: [] }, problem: 'malformed', at: start };
  const family = FAMILIES[FAMILY_NAMES.get(name.toLowerCase()) ?? ''];
  const tools = family ?? [name];
  const rule = { text, tools };
  const rest = text.trim().slice(name.length);
  const [, inner] = /^\((.*)\)$/s.exec(rest) ?? [];
  const behindName = start + name.length;
  if (rest !== '' && (inner === undefined || !isClosed(inner)))
    return { rule, problem: 'malformed', at: behindName + openAt(rest) };
  if (!family && !/^[a-z_*]/.test(name)) return { rule, problem: 'unknown-tool', at: start };
  if (inner === undefined || inner.trim() === '*' || inner.trim() === '**') return { rule };
  const pattern = patternOf(tools, inner.trim());
  if (typeof pattern === 'object') return { rule: { ...rule, pattern } };
  const at = behindName + 1 + (inner.length - inner.trimStart().length);
  if (pattern === 'malformed') return { rule, problem: pattern, at: at + loneAt(inner.trim()) };
  return { rule, problem: inner.trim() ? 'no-pattern' : 'malformed', at };
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Of what follows the name: the parenthesis or quote that has no other; the start where there are none, or too many. */
function openAt(rest: string): number {
  if (!rest.startsWith('(')) return 0;
  const end = endOf(rest);
  return end > 0 && end < rest.length ? end : loneAt(rest, '()');
}

/** Behind the parenthesis that ends the one at the start; 0 where none does. */
function endOf(rest: string): number {
  const bare = masked(rest);
  let open = 0;
  for (let at = 0; at < bare.length; at += 1) {
    if (bare[at] === '(') open += 1;
    if (bare[at] === ')') open -= 1;
    if (open === 0) return at + 1;
  }
  return 0;
}

/** The first quote or bracket without its other one; 0 where there is none. */
function loneAt(text: string, brackets = '[]{}'): number {
  const bare = masked(text);
  const open: number[] = [];
  for (let at = 0; at < bare.length; at += 1) {
    const character = bare[at] ?? '';
    if (character === '"' || character === "'") return at;
    if (!brackets.includes(character)) continue;
    const other = PAIRS[character];
    if (other === undefined) open.push(at);
    else if (bare[open.at(-1) ?? -1] === other) open.pop();
    else return at;
  }
  return open[0] ?? 0;
}

/** Quoted parts as spaces, so that places stay. */
const masked = (text: string): string => text.replace(/"[^"]*"|'[^']*'/g, (part) => ' '.repeat(part.length));

/** Quotes end, and parentheses outside of them come in pairs. */
function isClosed(text: string): boolean {
  const bare = text.replace(/"[^"]*"|'[^']*'/g, '');
  let open = 0;
  for (const character of bare) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}

function patternOf(tools: readonly string[], text: string): RulePattern | 'malformed' | undefined {
  if (!text) return undefined;
  if (tools.some((tool) => COMMAND_TOOLS.has(tool))) {
    // A lone quote would be dropped, and the rule would match another command.
    return hasLoneQuote(text) ? 'malformed' : { kind: 'command', words: patternWords(text) };
  }
  if (tools.some((tool) => PATH_TOOLS.has(tool))) {
    return hasLoneBracket(text) || !alternativesOf(text) ? 'malformed' : { kind: 'path', path: text };
  }
  if (tools.some((tool) => NETWORK_TOOLS.has(tool))) {
    const host = parseHostPattern(text);
    return host && { kind: 'host', ...host };
  }
  if (!tools.some((tool) => ADDRESS_TOOLS.has(tool))) return undefined;
  const host = text.replace(/^domain:/, '').toLowerCase();
  const read = parseHostPattern(host);
  return read && read.port === undefined ? { kind: 'address', host } : 'malformed';
}

const hasLoneQuote = (text: string): boolean => /["']/.test(text.replace(/"[^"]*"|'[^']*'/g, ''));

/** `[` and `{` without their ends; in pairs they stand for themselves, or for alternatives: `*.{pem,key}`. */
function hasLoneBracket(text: string): boolean {
  const rest = text.replace(/\[[^[\]{}]*\]|\{[^[\]{}]*\}/g, '');
  return rest === text ? /[[\]{}]/.test(rest) : hasLoneBracket(rest);
}

/** Quotes preserve spaces. */
function patternWords(text: string): string[] {
  const words = text.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

export function isOfTool(rule: Rule, tool: string): boolean {
  return rule.tools.some((name) => (name.includes('*') ? matchesName(name, tool) : name === tool));
}

/**
 * Whether a command matches the pattern: word by word, `*` within a word for part of it, `*` alone for one word, and as
 * the last for any number of words, or none. `isStrict`: an unknown word does not match; otherwise it could, and options
 * before a word of the pattern do not matter.
 */
export function fitsCommand(pattern: readonly string[], words: readonly Word[], isStrict: boolean): boolean {
  const last = pattern.at(-1) ?? '';
  // Other tools write `git push:*`: what denies there denies here, too.
  if (!isStrict && last.length > 2 && last.endsWith(':*')) {
    if (fitsCommand([...pattern.slice(0, -1), last.slice(0, -2), '*'], words, isStrict)) return true;
  }
  const isOpen = last === '*';
  const fixed = isOpen ? pattern.slice(0, -1) : pattern;
  if (!isStrict && fitsBehindOptions(fixed, words, isOpen)) return true;
  if (isOpen ? words.length < fixed.length : words.length !== fixed.length) return !isStrict && couldGrow(fixed, words);
  return fixed.every((part, index) => fitsWord(part, words[index] ?? null, { isStrict, isName: index === 0 }));
}

/** `git -C folder push` fits `git push`. An option may have an argument, or none. */
function fitsBehindOptions(fixed: readonly string[], words: readonly Word[], isOpen: boolean): boolean {
  let ends = new Set([0]);
  for (const [index, part] of fixed.entries()) {
    const next = new Set<number>();
    // A set yields what is added to it meanwhile.
    for (const at of ends) {
      const word = words[at];
      if (word === undefined) continue;
      if (fitsWord(part, word, { isStrict: false, isName: index === 0 })) next.add(at + 1);
      if (index > 0 && word?.startsWith('-')) ends.add(at + 1).add(at + 2);
    }
    ends = next;
  }
  return isOpen ? ends.size > 0 : ends.has(words.length);
}

/** An unknown word may stand for several words, or for none. */
function couldGrow(fixed: readonly string[], words: readonly Word[]): boolean {
  const unknown = words.indexOf(null);
  if (unknown <= 0) return false;
  const known = Math.min(unknown, fixed.length);
  return fixed
    .slice(0, known)
    .every((part, index) => fitsWord(part, words[index] ?? null, { isStrict: false, isName: index === 0 }));
}

function fitsWord(part: string, word: Word, { isStrict, isName }: { isStrict: boolean; isName: boolean }): boolean {
  if (part === '*') return true;
  if (word === null) return !isStrict && !isName;
  if (matchesName(part, word)) return true;
  return isName && !isStrict && matchesName(part, baseName(word) ?? word);
}

/** `example.com` and, with `*.` before it, all of its subdomains. */
export function fitsAddress(host: string, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const name = new URL(address).hostname.replace(/\.$/, '');
  return host.startsWith('*.') ? name.endsWith(host.slice(1)) || name === host.slice(2) : name === host;
}
