import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '@fucina/host';
import {
  AppError,
  type DialectChoice,
  type Environment,
  LOG_LEVELS,
  type LogLevel,
  readDialectChoice,
} from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';

/**
 * All settings of the server; command-line flags override environment variables of the same name; secrets are never
 * flags.
 */
export interface Settings {
  host: '127.0.0.1' | '::1' | 'localhost';
  port: number;
  isPortExact: boolean;
  token: string | undefined;
  /** Without a token the one that is saved in the data folder is used, and made at the first start. */
  savesToken: boolean;
  shutdownToken: string | undefined;
  launcherToken: string | undefined;
  mcpToken: string | undefined;
  dataDir: string;
  projects: readonly string[];
  model: string | undefined;
  keyStore: 'system' | 'memory';
  publicCatalog: boolean;
  bodyLimit: number;
  /** Parallel workflow steps; undefined: by the number of cores. */
  workflowSteps: number | undefined;
  /** Calls of a model for one answer; undefined: 10. */
  modelTries: number | undefined;
  /** The words in which models know the tools; undefined: by the family of each model. */
  dialects: DialectChoice | undefined;
  log: LogLevel;
  /** The remaining environment, for child processes. */
  environment: Environment;
}

/** Each flag `--name` has the environment variable `FUCINA_NAME`. */
const FLAGS = {
  host: '127.0.0.1 (default), ::1 or localhost',
  port: 'port to listen on, or the next free one (default 4174; 0 for any)',
  'port-exact': '1 to fail when the port is taken',
  'saved-token': '1 to use the token saved in the data folder when FUCINA_TOKEN is not set',
  'data-dir': 'folder for everything Fucina stores',
  projects: 'project folders, separated as in PATH',
  model: 'default model of new sessions, as provider:model',
  'key-store': 'system (default) or memory',
  'public-catalog': '0 to never ask models.dev for prices and context sizes',
  'body-limit': 'largest request body, in bytes (default 10485760)',
  'workflow-steps': 'workflow steps to run at once, 1 to 256',
  'model-tries': 'calls of a model for one answer when it fails, 1 to 10 (default 10)',
  dialects: 'words of the tools: claude, gpt or default; provider:model=gpt for one model',
  log: 'debug, info (default), warn, error or silent',
} as const;
type Flag = keyof typeof FLAGS;
const NAMES = Object.keys(FLAGS) as Flag[];
export const SECRETS = ['FUCINA_TOKEN', 'FUCINA_SHUTDOWN_TOKEN', 'FUCINA_LAUNCHER_TOKEN', 'FUCINA_MCP_TOKEN'] as const;
const MIN_TOKEN_LENGTH = 32;

/** Reads and removes the secrets from `env`. Throws CONFIG_INVALID with the name of the invalid setting. */
export function readSettings(args: readonly string[], env: Record<string, string | undefined>): Settings {
  const flags = readFlags(args);
  const value = (name: Flag): string | undefined =>
    flags[name] ?? (env[`FUCINA_${name.toUpperCase().replaceAll('-', '_')}`] || undefined);
  const [token, shutdownToken, launcherToken, mcpToken] = SECRETS.map((name) => takeSecret(env, name));
  return {
    host: oneOf('host', value('host') ?? '127.0.0.1', ['127.0.0.1', '::1', 'localhost']),
    port: integer('port', value('port') ?? '4174', { min: 0, max: 65_535 }),
    isPortExact: value('port-exact') === '1',
    token,
    savesToken: oneOf('saved-token', value('saved-token') ?? '0', ['0', '1']) === '1',
    shutdownToken,
    launcherToken,
    mcpToken,
    dataDir: value('data-dir') ?? defaultDataDir(env),
    projects: (value('projects') ?? '').split(delimiter).filter(Boolean),
    model: value('model'),
    keyStore: oneOf('key-store', value('key-store') ?? 'system', ['system', 'memory']),
    publicCatalog: oneOf('public-catalog', value('public-catalog') ?? '1', ['0', '1']) === '1',
    bodyLimit: integer('body-limit', value('body-limit') ?? '10485760', { min: 1_024, max: 1_073_741_824 }),
    workflowSteps: optional(value('workflow-steps'), (steps) => integer('workflow-steps', steps, { min: 1, max: 256 })),
    modelTries: optional(value('model-tries'), (tries) => integer('model-tries', tries, { min: 1, max: 10 })),
    dialects: optional(value('dialects'), readDialectChoice),
    log: oneOf('log', value('log') ?? 'info', [...LOG_LEVELS]),
    environment: env,
  };
}

/** What the arguments ask to print instead of starting a server; undefined otherwise. */
export function requestedText(args: readonly string[]): string | undefined {
  if (args.includes('--help') || args.includes('-h')) return helpText();
  return args.includes('--version') ? `${VERSION}\n` : undefined;
}

function helpText(): string {
  const lines = NAMES.map((name) => `  --${name.padEnd(15)} ${FLAGS[name]}`);
  return `Usage: npm start -- [options]
       node apps/server/dist/main.js [options]

Starts the Fucina server and prints one JSON line when it is ready.

Options (each also as an environment variable: --data-dir is FUCINA_DATA_DIR):
${lines.join('\n')}
  --help, -h        print this text
  --version         print the version

Secrets, as environment variables only:
  ${SECRETS.join(', ')}
`;
}

function readFlags(args: readonly string[]): Partial<Record<Flag, string>> {
  const options = Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Partial<Record<Flag, string>>;
  } catch (cause) {
    throw invalid(cause instanceof Error ? cause.message : 'arguments');
  }
}

function takeSecret(env: Record<string, string | undefined>, name: (typeof SECRETS)[number]): string | undefined {
  const secret = env[name];
  delete env[name];
  if (!secret) return undefined;
  if (secret.length < MIN_TOKEN_LENGTH) throw invalid(`${name} (at least ${MIN_TOKEN_LENGTH} characters)`);
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(secret))
    throw invalid(`${name} (characters a cookie cannot hold)`);
  return secret;
}

function optional<Value>(value: string | undefined, read: (value: string) => Value): Value | undefined {
  return value === undefined ? undefined : read(value);
}

function oneOf<Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalid(`${name} (one of ${allowed.join(', ')})`);
  return found;
}

function integer(name: string, value: string, { min, max }: { min: number; max: number }): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw invalid(`${name} (a whole number from ${min} to ${max})`);
  return number;
}

function invalid(setting: string): AppError {
  return new AppError('CONFIG_INVALID', { params: { setting } });
}
