import type { RuleVerdict, ToolAction } from '@fucina/shared';
import type { DeniedReading } from '../view/denied-files.ts';
import { fitsHost, type HostPattern } from './host-pattern.ts';
import { filesOfHistoryReadBy, filesReadBy, filesWrittenBy, type NamedFiles } from './named-files.ts';
import type { ShellLine } from './parsed-line.ts';
import { fitsPath, mayFitGlob, type Place, placeOf, placesOf } from './places.ts';
import { fitsAddress, fitsCommand, isOfTool, namedTool, parseRule, type Rule, type RuleProblem } from './rule.ts';
import { readShellLine, runsUnknownText, withoutWrappers } from './shell-line.ts';

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
  /**
   * Undefined when no rule applies. Deny takes precedence over ask, ask over allow. A rule that denies reading or
   * changing a file, or asks, also applies to a command line that names it as one to read or change.
   */
  judge(action: ToolAction, folder: string): Promise<RuleMatch | undefined>;
  /** Whether a rule denies reading a file, or asks; undefined if no rule does that to any. Absolute paths, without links. */
  guardsReading(folder: string): ((path: string) => boolean) | undefined;
  /** The rules that deny reading a file; undefined if none does that to any. */
  deniesReading(folder: string): DeniedReading | undefined;
  /**
   * Rules that could not be parsed. A deny or ask rule then applies to every call of its tool; an allow rule has no
   * effect.
   */
  readonly problems: readonly UnreadableRule[];
}

export interface UnreadableRule {
  rule: string;
  verdict: RuleVerdict;
  /** As written; absent where the text begins with no name: then no call is affected. */
  tool?: string;
  problem: RuleProblem;
  /** Where in its text. */
  at: number;
}

type Read = Readonly<Record<RuleVerdict, readonly Rule[]>>;

export function createPermissionRules(texts: RuleTexts): PermissionRules {
  const problems: UnreadableRule[] = [];
  const read = (verdict: RuleVerdict): Rule[] =>
    texts[verdict].flatMap((text) => {
      const { rule, problem, at = 0 } = parseRule(text);
      const tool = namedTool(text);
      if (problem) problems.push({ rule: text, verdict, ...(tool !== undefined && { tool }), problem, at });
      return problem && verdict === 'allow' ? [] : [rule];
    });
  const rules: Read = { deny: read('deny'), ask: read('ask'), allow: read('allow') };

  return {
    problems,
    async judge(action, folder) {
      const own = ofTool(rules, action.tipo);
      const guards = action.comando === undefined ? [] : guardsOf(rules, [READING, OF_HISTORY, WRITING]);
      if (own.deny.length + own.ask.length + own.allow.length + guards.length === 0) return undefined;
      const needsReader = action.comando !== undefined && (hasCommandPattern(own) || guards.length > 0);
      const line = needsReader ? await readShellLine(action.comando ?? '') : undefined;
      const places = action.percorso === undefined ? undefined : await placesOf(action.percorso, folder);
      const found = judgeBy(own, { action, line: hasCommandPattern(own) ? line : undefined, places });
      const named = line && (await judgeFiles(guards, line, folder));
      return (
        [named, found].find((match) => match?.verdict === 'deny') ??
        (found?.verdict === 'ask' ? found : (named ?? found))
      );
    },
    guardsReading(folder) {
      const guards = guardsOf(rules, [READING]);
      if (guards.length === 0) return undefined;
      return (path) => guards.some(({ rule }) => fitsGuard(rule, placeOf(path, folder)));
    },
    deniesReading(folder) {
      const guards = guardsOf(rules, [READING]).filter(({ verdict }) => verdict === 'deny');
      if (guards.length === 0) return undefined;
      return {
        key: guards.map(({ rule }) => rule.text).join('\n'),
        isDenied: (path) => guards.some(({ rule }) => fitsGuard(rule, placeOf(path, folder))),
      };
    },
  };
}

function ofTool(rules: Read, tool: string): Read {
  const own = (verdict: RuleVerdict): Rule[] => rules[verdict].filter((rule) => isOfTool(rule, tool));
  return { deny: own('deny'), ask: own('ask'), allow: own('allow') };
}

/** The tools whose rules also hold for commands that name a file, and which files a line so names. */
interface Naming {
  tools: readonly string[];
  filesOf(line: ShellLine): NamedFiles;
  /** Instead of the rule's own. */
  verdict?: 'ask';
}

const READING: Naming = { tools: ['leggi'], filesOf: filesReadBy };
/** What git stores of a file is not the file: a rule that denies reading it asks. */
const OF_HISTORY: Naming = { tools: ['leggi'], filesOf: filesOfHistoryReadBy, verdict: 'ask' };
const WRITING: Naming = { tools: ['scrivi', 'file_edit'], filesOf: filesWrittenBy };

interface Guard {
  verdict: 'deny' | 'ask';
  rule: Rule;
  naming: Naming;
}

/** The rules that deny some files, or ask, in this order. */
function guardsOf(rules: Read, namings: readonly Naming[]): Guard[] {
  return (['deny', 'ask'] as const).flatMap((verdict) =>
    namings.flatMap((naming) =>
      rules[verdict]
        .filter((rule) => rule.pattern?.kind === 'path' && naming.tools.some((tool) => isOfTool(rule, tool)))
        .map((rule) => ({ verdict: naming.verdict ?? verdict, rule, naming })),
    ),
  );
}

const fitsGuard = ({ pattern }: Rule, place: Place): boolean =>
  pattern?.kind === 'path' && fitsPath(pattern.path, place, { ignoresCase: true });

async function judgeFiles(guards: readonly Guard[], line: ShellLine, folder: string): Promise<RuleMatch | undefined> {
  const named = new Map<Naming, NamedFiles & { places: readonly Place[] }>();
  for (const { naming } of guards) {
    if (named.has(naming)) continue;
    const found = naming.filesOf(line);
    const places = (await Promise.all(found.files.map((file) => placesOf(file, folder)))).flat();
    named.set(naming, { ...found, places });
  }
  const fitting = guards.filter(({ rule, naming }) =>
    named.get(naming)?.places.some((place) => fitsGuard(rule, place)),
  );
  const found = fitting.find(({ verdict }) => verdict === 'deny') ?? fitting[0];
  if (found) return { verdict: found.verdict, rule: found.rule.text };
  const mayFit = ({ rule: { pattern }, naming }: Guard): boolean => {
    const { globs = [], isOpen = false } = named.get(naming) ?? {};
    return isOpen || (pattern?.kind === 'path' && globs.some((glob) => mayFitGlob(glob, pattern.path, folder)));
  };
  // Its words are known only at run time, and one of them may name such a file.
  return guards.length > 0 && (runsUnknownText(line) || guards.some(mayFit)) ? { verdict: 'ask' } : undefined;
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
  if (guards && call.line && runsUnknownText(call.line)) return { verdict: 'ask' };
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
  if (line) return line.isClear && !line.hasSideEffects ? allowingEach(rules, line) : undefined;
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

/** The rule of the first command, if each has one. */
function allowingEach(rules: readonly Rule[], { commands }: ShellLine): Rule | undefined {
  const allowing = commands.map(({ words }) =>
    rules.find(({ pattern }) => pattern?.kind === 'command' && fitsCommand(pattern.words, words, true)),
  );
  return allowing.includes(undefined) ? undefined : allowing[0];
}
