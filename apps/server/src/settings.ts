import { delimiter } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultDataDir } from '@fucina/host';
import { AppError, type Environment, LOG_LEVELS, type LogLevel } from '@fucina/shared';

/** Everything the server can be told; environment first, command-line flags of the same names win, secrets never by flag. */
export interface Settings {
  host: '127.0.0.1' | '::1' | 'localhost';
  port: number;
  isPortExact: boolean;
  token: string | undefined;
  shutdownToken: string | undefined;
  launcherToken: string | undefined;
  dataDir: string;
  projects: readonly string[];
  model: string | undefined;
  keyStore: 'system' | 'memory';
  publicCatalog: boolean;
  bodyLimit: number;
  /** Steps of workflows at once; undefined: by the cores of this computer. */
  workflowSteps: number | undefined;
  log: LogLevel;
  /** What is left of the environment, for children. */
  environment: Environment;
}

const FLAGS = [
  'host',
  'port',
  'port-exact',
  'data-dir',
  'projects',
  'model',
  'key-store',
  'public-catalog',
  'body-limit',
  'workflow-steps',
  'log',
] as const;
export const SECRETS = ['FUCINA_TOKEN', 'FUCINA_SHUTDOWN_TOKEN', 'FUCINA_LAUNCHER_TOKEN'] as const;
const MIN_TOKEN_LENGTH = 32;

/** Reads and removes the three secrets from `env`. Throws CONFIG_INVALID with the name of the wrong setting. */
export function readSettings(args: readonly string[], env: Record<string, string | undefined>): Settings {
  const flags = readFlags(args);
  const value = (name: (typeof FLAGS)[number]): string | undefined =>
    flags[name] ?? (env[`FUCINA_${name.toUpperCase().replaceAll('-', '_')}`] || undefined);
  const [token, shutdownToken, launcherToken] = SECRETS.map((name) => takeSecret(env, name));
  return {
    host: oneOf('host', value('host') ?? '127.0.0.1', ['127.0.0.1', '::1', 'localhost']),
    port: integer('port', value('port') ?? '4174', { min: 0, max: 65_535 }),
    isPortExact: value('port-exact') === '1',
    token,
    shutdownToken,
    launcherToken,
    dataDir: value('data-dir') ?? defaultDataDir(env),
    projects: (value('projects') ?? '').split(delimiter).filter(Boolean),
    model: value('model'),
    keyStore: oneOf('key-store', value('key-store') ?? 'system', ['system', 'memory']),
    publicCatalog: oneOf('public-catalog', value('public-catalog') ?? '1', ['0', '1']) === '1',
    bodyLimit: integer('body-limit', value('body-limit') ?? '10485760', { min: 1_024, max: 1_073_741_824 }),
    workflowSteps: optional(value('workflow-steps'), (steps) => integer('workflow-steps', steps, { min: 1, max: 256 })),
    log: oneOf('log', value('log') ?? 'info', [...LOG_LEVELS]),
    environment: env,
  };
}

function readFlags(args: readonly string[]): Partial<Record<(typeof FLAGS)[number], string>> {
  const options = Object.fromEntries(FLAGS.map((name) => [name, { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Partial<
      Record<(typeof FLAGS)[number], string>
    >;
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
