import { THEME_NAMES } from '@fucina/shared/themes';

/** The settings file of the command line, format version 2: every key, its values, and the files that may set it. */
export const FORMAT_VERSION = 2;

export const OUTPUT_FORMATS = ['text', 'json', 'stream-json', 'github', 'gitlab', 'junit'] as const;
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const INPUT_FORMATS = ['text', 'stream-json'] as const;
export type InputFormat = (typeof INPUT_FORMATS)[number];

export const PERMISSION_MODES = ['default', 'acceptEdits', 'plan', 'auto', 'dontAsk', 'bypassPermissions'] as const;
export type PermissionMode = (typeof PERMISSION_MODES)[number];

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

/** Weakest first. */
export const SCOPES = ['user', 'project', 'project-user'] as const;
export type Scope = (typeof SCOPES)[number];

const PERSONAL: readonly Scope[] = ['user', 'project-user'];

export interface KeyRule {
  /** Possible values, in a language-independent notation. */
  type: string;
  /** The default; undefined: none. */
  fallback?: unknown;
  /** For personal settings this excludes the project folder, whose content is untrusted. */
  scopes: readonly Scope[];
  /** A command-line value is used as text; for other keys it is parsed as JSON. */
  isWord: boolean;
  fits(value: unknown): boolean;
}

/** Dots mean nesting in the file; both spellings are accepted. */
export const CONFIG_KEYS: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ['version', rule('2', isVersion, { fallback: FORMAT_VERSION })],
  ['model', rule('"provider:model"', isName, { isWord: true })],
  ['reasoningEffort', { ...oneOf(EFFORTS), scopes: PERSONAL }],
  ['permissionMode', oneOf(PERMISSION_MODES, 'default')],
  ['outputFormat', oneOf(OUTPUT_FORMATS, 'text')],
  ['updateChannel', oneOf(['stable', 'preview'], 'stable')],
  ['providerRuntime', rule('{provider: {endpoint: "…", timeoutSeconds: 5…300}}', isRuntimes)],
  ['permissions.allow', rule('["Tool(pattern)", …]', isTexts, { fallback: [] })],
  ['permissions.ask', rule('["Tool(pattern)", …]', isTexts, { fallback: [] })],
  ['permissions.deny', rule('["Tool(pattern)", …]', isTexts, { fallback: [] })],
  ['ui.theme', oneOf(THEME_NAMES, 'forge')],
  ['ui.markdown', rule('true | false', isFlag, { fallback: true })],
  ['ui.notifications', oneOf(['auto', 'bell', 'off'], 'auto')],
  ['ui.maxProseWidth', rule('null | 40…', (value) => value === null || isWhole(value, 40, Number.MAX_SAFE_INTEGER))],
  ['ui.exitOutput', oneOf(['transcript', 'resume'], 'transcript')],
  ['ui.busyInput', oneOf(['queue', 'steer', 'interrupt'], 'queue')],
  ['ui.reasoning', oneOf(['collapsed', 'visible'], 'collapsed')],
  ['ui.mouse', rule('true | false', isFlag)],
  ['ui.history.persist', rule('true | false', isFlag)],
  ['ui.titles', rule('true | false', isFlag, { fallback: true })],
  ['ui.keymap', rule('{action: ["key", …]}', isKeymap, { scopes: PERSONAL })],
  ['extensions.enabled', rule('["name", …]', isTexts, { fallback: [] })],
  ['keyStore', { ...oneOf(['system', 'memory']), scopes: PERSONAL }],
  ['models', rule('{model: {contextWindow: 1024…10000000, maxOutputTokens: 1…, inputs: [audio, pdf]}}', isModels)],
  ['catalog.modelsDev', rule('true | false', isFlag)],
]);

/** Names of groups. */
export const GROUPS: ReadonlySet<string> = new Set(
  [...CONFIG_KEYS.keys()].flatMap((key) => {
    const parts = key.split('.');
    return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
  }),
);

/** Similar keys: those of the innermost existing group. */
export function keysNear(key: string): string[] {
  const parts = key.split('.');
  for (let depth = parts.length - 1; depth > 0; depth--) {
    const group = parts.slice(0, depth).join('.');
    if (GROUPS.has(group)) return [...CONFIG_KEYS.keys()].filter((known) => known.startsWith(`${group}.`));
  }
  return [...CONFIG_KEYS.keys()];
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function rule(type: string, fits: KeyRule['fits'], given: Partial<KeyRule> = {}): KeyRule {
  return { type, fits, scopes: SCOPES, isWord: false, ...given };
}

function oneOf(values: readonly string[], fallback?: string): KeyRule {
  const fits = (value: unknown): boolean => typeof value === 'string' && values.includes(value);
  return rule(values.join(' | '), fits, { isWord: true, fallback });
}

/** Version 1 is read like 2, from which it differs in one name: see `migrate`. */
function isVersion(value: unknown): boolean {
  return value === 1 || value === FORMAT_VERSION;
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean';
}

function isKeymap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isTexts);
}

function isWhole(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}

function isRuntimes(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isRuntime);
}

function isRuntime(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { endpoint, timeoutSeconds, ...odd } = value;
  if (Object.keys(odd).length > 0) return false;
  const isAddress = endpoint === undefined || (typeof endpoint === 'string' && URL.canParse(endpoint));
  return isAddress && (timeoutSeconds === undefined || isWhole(timeoutSeconds, 5, 300));
}

function isModels(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isModelLimits);
}

function isModelLimits(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { contextWindow, maxOutputTokens, inputs = [] } = value;
  if (!Array.isArray(inputs) || !inputs.every((input) => input === 'audio' || input === 'pdf')) return false;
  if (contextWindow !== undefined && !isWhole(contextWindow, 1_024, 10_000_000)) return false;
  if (maxOutputTokens === undefined) return true;
  const limit = typeof contextWindow === 'number' ? contextWindow - 1 : Number.MAX_SAFE_INTEGER;
  return isWhole(maxOutputTokens, 1, limit);
}
