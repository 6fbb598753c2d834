import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { RuleVerdict, ToolAction } from '@fucina/shared';
import { matchesPath } from '@fucina/shared';
import { fitsHost, type HostPattern } from './host-pattern.ts';
import type { ShellLine } from './parsed-line.ts';
import { fitsAddress, fitsCommand, isOfTool, parseRule, type Rule, type RuleProblem } from './rule.ts';
import { readShellLine, withoutWrappers } from './shell-line.ts';

/** The user's permission rules, by `Tool(pattern)`. */
export interface RuleTexts {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

export interface RuleMatch {
  verdict: RuleVerdict;
  /** The rule that decided, as written; absent when a line could not be parsed and a rule may apply to it. */
  rule?: string;
}

export interface PermissionRules {
  /** Undefined when no rule applies. Deny takes precedence over ask, ask over allow. */
  judge(action: ToolAction, folder: string): Promise<RuleMatch | undefined>;
  /**
   * Rules that could not be parsed. A deny or ask rule then applies to every call of its tool; an allow rule has no
   * effect.
   */
  readonly problems: readonly { rule: string; problem: RuleProblem }[];
}

type Read = Readonly<Record<RuleVerdict, readonly Rule[]>>;

export function createPermissionRules(texts: RuleTexts): PermissionRules {
  const problems: { rule: string; problem: RuleProblem }[] = [];
  const read = (verdict: RuleVerdict): Rule[] =>
    texts[verdict].flatMap((text) => {
      const { rule, problem } = parseRule(text);
      if (problem) problems.push({ rule: text, problem });
      return problem && verdict === 'allow' ? [] : [rule];
    });
  const rules: Read = { deny: read('deny'), ask: read('ask'), allow: read('allow') };

  return {
    problems,
    async judge(action, folder) {
      const own = ofTool(rules, action.tipo);
      if (own.deny.length + own.ask.length + own.allow.length === 0) return undefined;
      const needsReader = action.comando !== undefined && hasCommandPattern(own);
      const line = needsReader ? await readShellLine(action.comando ?? '') : undefined;
      const places = action.percorso === undefined ? undefined : await placesOf(action.percorso, folder);
      return judgeBy(own, { action, line, places });
    },
  };
}

function ofTool(rules: Read, tool: string): Read {
  const own = (verdict: RuleVerdict): Rule[] => rules[verdict].filter((rule) => isOfTool(rule, tool));
  return { deny: own('deny'), ask: own('ask'), allow: own('allow') };
}

function hasCommandPattern(rules: Read): boolean {
  return Object.values(rules).some((list) => list.some(({ pattern }) => pattern?.kind === 'command'));
}

interface Call {
  action: ToolAction;
  line: ShellLine | undefined;
  places: readonly Place[] | undefined;
}

function judgeBy(rules: Read, call: Call): RuleMatch | undefined {
  for (const verdict of ['deny', 'ask'] as const) {
    const found = rules[verdict].find((rule) => mayConcern(rule, call));
    if (found) return { verdict, rule: found.text };
  }
  const guards = [...rules.deny, ...rules.ask].some(({ pattern }) => pattern?.kind === 'command');
  if (guards && call.line && !call.line.isClear) return { verdict: 'ask' };
  const allowed = allows(rules.allow, call);
  return allowed && { verdict: 'allow', rule: allowed.text };
}

/** Whether a deny or ask rule could apply to this call. */
function mayConcern({ pattern }: Rule, { action, line, places }: Call): boolean {
  switch (pattern?.kind) {
    case undefined:
      return true;
    case 'command':
      return (line?.commands ?? []).some(({ words }) =>
        withoutWrappers(words).some((rest) => fitsCommand(pattern.words, rest, false)),
      );
    case 'path':
      return (places ?? []).some((place) => fitsPath(pattern.path, place, { ignoresCase: true }));
    case 'address':
      return typeof action.url === 'string' && fitsAddress(pattern.host, action.url);
    case 'host':
      return fitsAction(pattern, action);
  }
}

/** The rule that allows all of it: of a command line, each command must be allowed by a rule. */
function allows(rules: readonly Rule[], { action, line, places }: Call): Rule | undefined {
  const everything = rules.find(({ pattern }) => !pattern);
  if (everything) return everything;
  const [first] = rules;
  if (line) return line.isClear && !line.hasSideEffects && allowsEach(rules, line) ? first : undefined;
  return rules.find(({ pattern }) => {
    if (pattern?.kind === 'path')
      return places?.every((place) => fitsPath(pattern.path, place, { ignoresCase: false }));
    if (pattern?.kind === 'host') return fitsAction(pattern, action);
    return pattern?.kind === 'address' && typeof action.url === 'string' && fitsAddress(pattern.host, action.url);
  });
}

function fitsAction(pattern: HostPattern, { host, porta }: ToolAction): boolean {
  return typeof host === 'string' && typeof porta === 'number' && fitsHost(pattern, { host, port: porta });
}

function allowsEach(rules: readonly Rule[], { commands }: ShellLine): boolean {
  return (
    commands.length > 0 &&
    commands.every(({ words }) =>
      rules.some(({ pattern }) => pattern?.kind === 'command' && fitsCommand(pattern.words, words, true)),
    )
  );
}

/** One way to name the subject of a call. */
interface Place {
  absolute: string;
  /** `/`-separated; undefined outside the folder. */
  inside: string | undefined;
}

/** As written, and with links resolved. */
async function placesOf(path: string, folder: string): Promise<Place[]> {
  const written = resolve(folder, path);
  const real = await realPlace(written);
  return [...new Set([written, real])].map((absolute) => ({ absolute, inside: insideOf(absolute, folder) }));
}

async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    // Does not exist yet: resolves its existing part.
    return parent === path ? path : join(await realPlace(parent), relative(parent, path));
  }
}

function insideOf(absolute: string, folder: string): string | undefined {
  const path = relative(folder, absolute).split(sep).join('/');
  return path === '..' || path.startsWith('../') || path === absolute ? undefined : path;
}

/** `~/…` and `/…` from the home and the root; a bare name at any depth; anything else from the folder. */
function fitsPath(pattern: string, place: Place, { ignoresCase }: { ignoresCase: boolean }): boolean {
  const isAbsolute = pattern.startsWith('/') || pattern.startsWith('~/') || /^[a-z]:/i.test(pattern);
  const subject = isAbsolute ? place.absolute.split(sep).join('/') : place.inside;
  if (subject === undefined) return false;
  const fold = (text: string): string[] => (ignoresCase ? text.toLowerCase() : text).split('/').filter(Boolean);
  const full = pattern.startsWith('~/') ? `${homedir().split(sep).join('/')}/${pattern.slice(2)}` : pattern;
  const isName = !full.replace(/^\.\//, '').includes('/');
  const segments = full.replace(/^\.\//, '');
  return matchesPath([...(isName ? ['**'] : []), ...fold(segments)], fold(subject));
}
