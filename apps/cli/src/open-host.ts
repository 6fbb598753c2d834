import { delimiter, resolve } from 'node:path';
import type { Host } from '@fucina/host';
import { AppError, LOG_LEVELS, readDialectChoice } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import { readConfig } from './config/config.ts';
import type { Io } from './io.ts';

const KEY_STORES = ['system', 'memory'] as const;

/** Values of flags; the environment, with the server's variable names, and then the settings files supply the rest. */
export interface HostChoice {
  dataDir?: string;
  keyStore?: string;
  /** The folder whose project settings apply; default: the current one. */
  dir?: string;
}

/** The services of this computer, in process, beside a server that may be running. The caller closes it. */
export async function openHost(io: Io, choice: HostChoice = {}): Promise<Host> {
  const { createHost } = await import('@fucina/host');
  const { env } = io;
  const { keyStore, modelsDev, permissionRules, providerSettings, enabledExtensions } = readConfig(
    io,
    choice.dir ?? io.cwd,
  );
  return createHost({
    ambient: await io.ambient(oneOf('log', env.FUCINA_LOG || 'error', LOG_LEVELS)),
    version: VERSION,
    dataDir: await dataDirOf(io, choice),
    projects: (env.FUCINA_PROJECTS ?? '').split(delimiter).filter(Boolean),
    model: env.FUCINA_MODEL || undefined,
    keyStore: keyStoreOf(io, choice, keyStore),
    publicCatalog: modelsDev !== false && env.FUCINA_PUBLIC_CATALOG !== '0',
    environment: env,
    permissionRules,
    enabledExtensions,
    providerSettings,
    modelTries: triesOf(env.FUCINA_MODEL_TRIES),
    dialects: env.FUCINA_DIALECTS ? readDialectChoice(env.FUCINA_DIALECTS) : undefined,
    background: false,
    http: io.http,
  });
}

export async function dataDirOf({ env }: Io, { dataDir }: HostChoice): Promise<string> {
  const { defaultDataDir } = await import('@fucina/host');
  return dataDir ?? (env.FUCINA_DATA_DIR || defaultDataDir(env));
}

/**
 * The options with which this program, started later from any folder and without this environment, has the same data
 * folder (absolute) and the key store that was chosen, if one was. Throws CONFIG_INVALID.
 */
export async function placeOptions(io: Io, { dataDir, keyStore }: HostChoice): Promise<string[]> {
  const options = ['--data-dir', resolve(io.cwd, await dataDirOf(io, { dataDir }))];
  const chosen = keyStore ?? (io.env.FUCINA_KEY_STORE || undefined);
  return chosen === undefined ? options : [...options, '--key-store', oneOf('key-store', chosen, KEY_STORES)];
}

/** Throws CONFIG_INVALID. */
export function keyStoreOf(
  io: Io,
  { keyStore, dir }: HostChoice,
  configured = readConfig(io, dir ?? io.cwd).keyStore,
): 'system' | 'memory' {
  return oneOf('key-store', keyStore ?? (io.env.FUCINA_KEY_STORE || configured || 'system'), KEY_STORES);
}

/** Opens, uses, closes. */
export async function withHost<Result>(
  io: Io,
  choice: HostChoice,
  use: (host: Host) => Promise<Result>,
): Promise<Result> {
  const host = await openHost(io, choice);
  try {
    return await use(host);
  } finally {
    await host.close();
  }
}

/** How often a model is called for one answer. Throws CONFIG_INVALID. */
function triesOf(value: string | undefined): number | undefined {
  if (!value) return undefined;
  return Number(oneOf('model-tries', value, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']));
}

function oneOf<const Value extends string>(name: string, value: string, allowed: readonly Value[]): Value {
  const found = allowed.find((candidate) => candidate === value);
  if (found) return found;
  throw new AppError('CONFIG_INVALID', { params: { setting: `${name} (${allowed.join(', ')})` } });
}
