import type { ChosenSettings } from '@fucina/host';
import { cleanLine } from '../clean-text.ts';
import type { Io } from '../io.ts';
import { keymapProblems } from '../screen/input/keymap.ts';
import type { Say } from '../words/index.ts';
import type { OutputFormat, PermissionMode, Scope } from './keys.ts';
import { problemSentence } from './problem-sentence.ts';
import {
  type FoundValue,
  fatalProblem,
  invalidFile,
  isOldFormat,
  placeOf,
  readSettingsFile,
  type SettingsFile,
} from './settings-file.ts';
import { settingsPaths } from './settings-paths.ts';
import { isTrusted } from './trust.ts';

/** The effective settings: project-user over project over user, without settings that a project may not set. */
export interface Config {
  model: string | undefined;
  reasoningEffort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** Undefined when no file sets it. */
  permissionMode: PermissionMode | undefined;
  outputFormat: OutputFormat;
  theme: string | undefined;
  /** Action → keys, as the user wrote them. */
  keymap: Readonly<Record<string, readonly string[]>>;
  keyStore: 'system' | 'memory' | undefined;
  /** False: the public catalog of models is not fetched. */
  modelsDev: boolean | undefined;
  updateChannel: 'stable' | 'preview';
  /** The only enabled extensions; empty: all trusted ones. */
  enabledExtensions: readonly string[];
  /** Addresses, timeouts and limits of models. */
  providerSettings: ChosenSettings;
  /** Rules of all files together. */
  permissionRules: { allow: readonly string[]; ask: readonly string[]; deny: readonly string[] };
  /** Every effective key, used here or not, and the file that sets it. */
  values: ReadonlyMap<string, EffectiveValue>;
  leftOut: readonly IgnoredSetting[];
  /** Whether the user trusted the current content of the project's file. */
  isTrusted: boolean;
  files: readonly SettingsFile[];
}

export interface EffectiveValue {
  value: unknown;
  scope: Scope;
  path: string;
  line: number;
  placeIn: FoundValue['placeIn'];
}

export interface IgnoredSetting extends EffectiveValue {
  key: string;
  /**
   * `scope`: the key is not allowed in that file; `untrusted`: it would widen permissions, and the user has not trusted
   * the folder.
   */
  because: 'scope' | 'untrusted';
}

/** How much each mode allows without asking. */
const LOOSENESS: Record<PermissionMode, number> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  acceptEdits: 2,
  auto: 2,
  bypassPermissions: 3,
};

export const RULE_KEYS = ['permissions.allow', 'permissions.ask', 'permissions.deny'];

/** Throws CONFIG_INVALID. */
export function readConfig(io: Io, dir: string): Config {
  const files = settingsPaths(io, dir).map(readSettingsFile);
  for (const file of files) {
    const problem = fatalProblem(file);
    if (problem) throw invalidFile(file.path, problem);
  }
  const projectDigest = files.find(({ scope }) => scope === 'project')?.digest;
  const trusted = isTrusted(io, dir, projectDigest);
  const { values, leftOut } = merge(files, trusted);
  return { ...used(values), values, leftOut, isTrusted: trusted, files };
}

function merge(files: readonly SettingsFile[], isProjectTrusted: boolean): Pick<Config, 'values' | 'leftOut'> {
  const values = new Map<string, EffectiveValue>();
  const leftOut: IgnoredSetting[] = [];
  for (const { scope, path, values: own, problems } of files) {
    for (const [key, { value, line, placeIn }] of own) {
      const found = { value, scope, path, line, placeIn };
      const before = values.get(key)?.value;
      if (problems.some((problem) => problem.kind === 'scope' && problem.key === key)) {
        leftOut.push({ key, ...found, because: 'scope' });
      } else if (scope === 'project' && !isProjectTrusted && widens(key, value, before)) {
        leftOut.push({ key, ...found, because: 'untrusted' });
      } else if (RULE_KEYS.includes(key)) {
        const rules = [...((before as string[] | undefined) ?? []), ...(value as string[])];
        values.set(key, { ...found, value: [...new Set(rules)] });
      } else values.set(key, found);
    }
  }
  return { values, leftOut };
}

/** Whether a project's value widens permissions. */
function widens(key: string, value: unknown, before: unknown): boolean {
  switch (key) {
    case 'permissionMode':
      return LOOSENESS[value as PermissionMode] > LOOSENESS[(before as PermissionMode | undefined) ?? 'default'];
    case 'permissions.allow':
    case 'extensions.enabled':
      return (value as string[]).length > 0;
    case 'providerRuntime':
      return Object.keys(value as object).length > 0;
    case 'catalog.modelsDev':
      return value === true && before === false;
    default:
      return false;
  }
}

/** Notices about the files for the user, one sentence each. */
export function configWarnings({ files, leftOut, values }: Config, say: Say): string[] {
  const warnings: string[] = [];
  for (const file of files) {
    if (isOldFormat(file)) warnings.push(say('config.old-format', { file: file.path, scope: file.scope }));
    for (const problem of file.problems) warnings.push(problemSentence(file.path, problem, say));
  }
  for (const { because, key, path, line } of leftOut) {
    if (because === 'untrusted') warnings.push(say('config.untrusted', { file: `${path}:${line}`, key }));
  }
  return [...warnings, ...keymapWarnings(values, say)];
}

function keymapWarnings(values: Config['values'], say: Say): string[] {
  const found = values.get('ui.keymap');
  if (!found) return [];
  const keymap = found.value as Config['keymap'];
  return keymapProblems(keymap).map(({ action, key }) => {
    const path = key === undefined ? [action] : [action, keymap[action]?.indexOf(key) ?? 0];
    const file = cleanLine(placeOf(found.path, found.placeIn(path)), Number.MAX_SAFE_INTEGER);
    return key === undefined
      ? say('config.keymap-action', { file, action: cleanLine(action, WIDTH) })
      : say('config.keymap-key', { file, action: cleanLine(action, WIDTH), key: cleanLine(key, WIDTH) });
  });
}

const WIDTH = 300;

function used(values: Config['values']): Omit<Config, 'values' | 'leftOut' | 'isTrusted' | 'files'> {
  const at = <Value>(key: string): Value | undefined => values.get(key)?.value as Value | undefined;
  return {
    model: at<string>('model'),
    reasoningEffort: at<NonNullable<Config['reasoningEffort']>>('reasoningEffort'),
    permissionMode: at<PermissionMode>('permissionMode'),
    outputFormat: at<OutputFormat>('outputFormat') ?? 'text',
    theme: at<string>('ui.theme'),
    keymap: at<Config['keymap']>('ui.keymap') ?? {},
    providerSettings: {
      runtimes: at<NonNullable<ChosenSettings['runtimes']>>('providerRuntime') ?? {},
      models: at<NonNullable<ChosenSettings['models']>>('models') ?? {},
    },
    permissionRules: {
      allow: at<string[]>('permissions.allow') ?? [],
      ask: at<string[]>('permissions.ask') ?? [],
      deny: at<string[]>('permissions.deny') ?? [],
    },
    updateChannel: at<Config['updateChannel']>('updateChannel') ?? 'stable',
    enabledExtensions: at<string[]>('extensions.enabled') ?? [],
    keyStore: at<'system' | 'memory'>('keyStore'),
    modelsDev: at<boolean>('catalog.modelsDev'),
  };
}
