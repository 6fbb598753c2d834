import { THEME_NAMES } from '@fucina/shared/themes';

/** The settings file of the tool, format version 2: every key, what it may hold, and who may set it. */
export const FORMAT_VERSION = 2;

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

export type Scope = 'user' | 'project' | 'project-user';

interface KeyRule {
  fits(value: unknown): boolean;
  /** A project folder, which anybody may have written, cannot set it. */
  isPersonal?: boolean;
}

/** Dots are nesting in the file; both spellings are read. */
export const KEYS: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ['version', { fits: (value) => value === FORMAT_VERSION }],
  ['model', { fits: (value) => typeof value === 'string' && value.trim() !== '' }],
  ['reasoningEffort', { fits: oneOf(EFFORTS), isPersonal: true }],
  ['permissionMode', { fits: oneOf(PERMISSION_MODES) }],
  ['outputFormat', { fits: oneOf(OUTPUT_FORMATS) }],
  ['updateChannel', { fits: oneOf(['stable', 'preview']) }],
  ['providerRuntime', { fits: isRecord }],
  ['permissions.allow', { fits: isTexts }],
  ['permissions.ask', { fits: isTexts }],
  ['permissions.deny', { fits: isTexts }],
  ['ui.theme', { fits: oneOf(THEME_NAMES) }],
  ['ui.markdown', { fits: isFlag }],
  ['ui.notifications', { fits: oneOf(['auto', 'bell', 'off']) }],
  ['ui.maxProseWidth', { fits: (value) => value === null || isWhole(value, 40, Number.MAX_SAFE_INTEGER) }],
  ['ui.exitOutput', { fits: oneOf(['transcript', 'resume']) }],
  ['ui.busyInput', { fits: oneOf(['queue', 'steer', 'interrupt']) }],
  ['ui.reasoning', { fits: oneOf(['collapsed', 'visible']) }],
  ['ui.mouse', { fits: isFlag }],
  ['ui.history.persist', { fits: isFlag }],
  ['ui.keymap', { fits: (value) => isRecord(value) && Object.values(value).every(isTexts), isPersonal: true }],
  ['extensions.enabled', { fits: isTexts }],
  // The interface's description shows this key's name only as a placeholder.
  ['{base_url}', { fits: oneOf(['system', 'memory']), isPersonal: true }],
  ['models', { fits: (value) => isRecord(value) && Object.values(value).every(isModelLimits) }],
  ['catalog.modelsDev', { fits: isFlag }],
]);

/** Names that only hold other keys. */
export const GROUPS: ReadonlySet<string> = new Set(
  [...KEYS.keys()].flatMap((key) => {
    const parts = key.split('.');
    return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
  }),
);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function oneOf(values: readonly string[]): KeyRule['fits'] {
  return (value) => typeof value === 'string' && values.includes(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isModelLimits(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { contextWindow, maxOutputTokens } = value;
  if (contextWindow !== undefined && !isWhole(contextWindow, 1_024, 10_000_000)) return false;
  if (maxOutputTokens === undefined) return true;
  const limit = typeof contextWindow === 'number' ? contextWindow - 1 : Number.MAX_SAFE_INTEGER;
  return isWhole(maxOutputTokens, 1, limit);
}
