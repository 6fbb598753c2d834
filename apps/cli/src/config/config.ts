import type { Io } from '../io.ts';
import type { Say } from '../words/index.ts';
import { KEYS, type OutputFormat, type PermissionMode, type Scope } from './keys.ts';
import { readSettingsFile, type SettingsFile, settingsPaths } from './settings-file.ts';

/** The settings in force: project-user over project over user, with what a project may not say left out. */
export interface Config {
  model: string | undefined;
  reasoningEffort: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** Undefined when no file says. */
  permissionMode: PermissionMode | undefined;
  outputFormat: OutputFormat;
  theme: string | undefined;
  /** Every key in force, used here or not, and the scope that decided. */
  values: ReadonlyMap<string, { value: unknown; scope: Scope }>;
  /** Sentences for the person. */
  warnings: readonly string[];
  files: readonly SettingsFile[];
}

/** How much each mode lets happen unasked. */
const LOOSENESS: Record<PermissionMode, number> = {
  plan: 0,
  dontAsk: 1,
  default: 2,
  acceptEdits: 2,
  auto: 2,
  bypassPermissions: 3,
};

const RULE_KEYS = ['permissions.allow', 'permissions.ask', 'permissions.deny'];

/** Throws CONFIG_INVALID. */
export function readConfig(io: Io, dir: string, say: Say): Config {
  const files = settingsPaths(io, dir).map(readSettingsFile);
  const values = new Map<string, { value: unknown; scope: Scope }>();
  const warnings: string[] = [];
  for (const { scope, path: file, values: own, unknownKeys } of files) {
    for (const key of unknownKeys) warnings.push(say('config.unknown', { file, key }));
    for (const [key, value] of own) {
      const isRule = RULE_KEYS.includes(key);
      if (isRule && (value as string[]).length) warnings.push(say('config.rules', { file, key }));
      if (scope === 'project' && KEYS.get(key)?.isPersonal) {
        warnings.push(say('config.project-may-not', { file, key }));
      } else if (scope === 'project' && key === 'permissionMode' && !tightens(value, values.get(key)?.value)) {
        warnings.push(say('config.project-only-tightens', { file, value: String(value) }));
      } else {
        const before = isRule ? ((values.get(key)?.value as string[] | undefined) ?? []) : [];
        values.set(key, { scope, value: isRule ? [...new Set([...before, ...(value as string[])])] : value });
      }
    }
  }
  return { ...used(values), values, warnings, files };
}

function tightens(value: unknown, present: unknown): boolean {
  const before = (present as PermissionMode | undefined) ?? 'default';
  return LOOSENESS[value as PermissionMode] <= LOOSENESS[before];
}

function used(values: Config['values']): Omit<Config, 'values' | 'warnings' | 'files'> {
  const at = <Value>(key: string): Value | undefined => values.get(key)?.value as Value | undefined;
  return {
    model: at<string>('model'),
    reasoningEffort: at<Config['reasoningEffort']>('reasoningEffort') ?? undefined,
    permissionMode: at<PermissionMode>('permissionMode'),
    outputFormat: at<OutputFormat>('outputFormat') ?? 'text',
    theme: at<string>('ui.theme'),
  };
}
