import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type DoctorCheck, type DoctorRow, timeZonesRow } from '@fucina/diagnostics';
import type { WatcherState } from '@fucina/files';
import type { SandboxState, WriteViewState } from '@fucina/sandbox';
import {
  type Environment,
  isClientCertificateUsable,
  readCertificateFiles,
  readProxies,
  type StoreState,
  storeFailureOf,
} from '@fucina/shared';
import { readBackupSchedule } from '../backup/backup-schedule.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { createStoreChecks } from '../data-folder/store-repair.ts';
import { newerStores } from '../data-folder/store-versions.ts';
import type { Services } from '../services.ts';
import type { HostSettings } from '../settings.ts';

export interface DoctorNeeds {
  settings: HostSettings;
  folder: DataFolder;
  services: Pick<Services, 'sessions' | 'providers' | 'files' | 'localRuntimes' | 'sessionBrowser'>;
  sandbox(): Promise<SandboxState>;
  /** Whether git commands that write can change nothing but their repository. */
  gitView(): Promise<WriteViewState>;
  watching(): WatcherState;
}

const LOW_SPACE_BYTES = 512 * 1024 * 1024;

/** All rows of the report, each from the domain concerned. */
export function doctorChecks(needs: DoctorNeeds): ReadonlyMap<string, DoctorCheck> {
  const checkStores = createStoreChecks(needs.folder.path);
  return new Map<string, DoctorCheck>([
    ['data-folder', () => checkDataFolder(needs)],
    ['free-space', () => checkFreeSpace(needs)],
    ['session-store', () => checkSessions(needs)],
    ['stores', () => storesRow(checkStores, needs.folder.path)],
    ['key-store', () => checkKeyStore(needs)],
    ['providers', () => checkProviders(needs)],
    ['project-folders', () => checkProjects(needs)],
    ['folder-watch', () => checkWatching(needs)],
    ['git', () => checkGit(needs)],
    ['shell', () => checkShell()],
    ['access', () => checkAccess(needs)],
    ['sandbox', () => checkSandbox(needs)],
    ['proxy', () => checkProxy(needs)],
    ['certificates', () => checkCertificates(needs)],
    ['local-engine', () => checkLocalEngine(needs)],
    ['live-browser', () => checkBrowser(needs)],
    ['backups', () => checkBackups(needs)],
    ['time-zones', () => timeZonesRow(process.versions.tz, needs.settings.ambient.now())],
    ['runtime', () => ({ id: 'runtime', state: 'ok', finding: 'running', params: { version: process.version } })],
  ]);
}

function checkDataFolder({ folder }: DoctorNeeds): DoctorRow {
  try {
    accessSync(folder.path, constants.W_OK);
    return { id: 'data-folder', state: 'ok', finding: 'writable' };
  } catch {
    // Whatever the reason, no key can be stored.
    return { id: 'data-folder', state: 'error', finding: 'not-writable' };
  }
}

function checkFreeSpace({ folder }: DoctorNeeds): DoctorRow {
  const { bavail, bsize } = statfsSync(folder.path);
  const freeBytes = bavail * bsize;
  const gigabytes = Math.round((freeBytes / 1_000 ** 3) * 10) / 10;
  const isLow = freeBytes < LOW_SPACE_BYTES;
  return {
    id: 'free-space',
    state: isLow ? 'attention' : 'ok',
    finding: isLow ? 'low' : 'enough',
    params: { gigabytes },
  };
}

function checkSessions(needs: DoctorNeeds): DoctorRow {
  try {
    return openSessionStore(needs);
  } catch (error) {
    if (!storeFailureOf(error)) throw error;
    return { id: 'session-store', state: 'error', finding: 'not-opened' };
  }
}

function openSessionStore({ services }: DoctorNeeds): DoctorRow {
  const { sessions, recovered } = services.sessions.check();
  if (recovered)
    return { id: 'session-store', state: 'attention', finding: 'interrupted', params: { sessions, recovered } };
  return { id: 'session-store', state: 'ok', finding: 'open', params: { sessions } };
}

async function storesRow(checkStores: ReturnType<typeof createStoreChecks>, dataDir: string): Promise<DoctorRow> {
  const newer = newerStores(dataDir).join(', ');
  if (newer) return { id: 'stores', state: 'error', finding: 'newer', params: { names: newer } };
  const checks = await checkStores();
  const named = (wanted: StoreState): string =>
    checks.flatMap(({ name, state }) => (state === wanted ? [name] : [])).join(', ');
  const [damaged, unchecked] = [named('damaged'), [named('busy'), named('unchecked')].filter(Boolean).join(', ')];
  if (damaged) return { id: 'stores', state: 'error', finding: 'damaged', params: { names: damaged } };
  if (unchecked) return { id: 'stores', state: 'attention', finding: 'unchecked', params: { names: unchecked } };
  return { id: 'stores', state: 'ok', finding: 'sound', params: { stores: checks.length } };
}

async function checkKeyStore({ services }: DoctorNeeds): Promise<DoctorRow> {
  const { kind, state } = await services.providers.keys.state();
  if (kind === 'memory') return { id: 'key-store', state: 'attention', finding: 'memory' };
  // Local engines need no key: much works without a key store.
  return { id: 'key-store', state: state === 'ready' ? 'ok' : 'attention', finding: state };
}

async function checkProviders({ services }: DoctorNeeds): Promise<DoctorRow> {
  const rows = await services.providers.registry.list();
  const ready = rows.filter(
    ({ keyConfigured, requiresKey, endpointConfigured }) => keyConfigured || (!requiresKey && endpointConfigured),
  );
  if (!ready.length) return { id: 'providers', state: 'attention', finding: 'none' };
  return {
    id: 'providers',
    state: 'ok',
    finding: 'configured',
    params: { providers: ready.map(({ label }) => label).join(', ') },
  };
}

async function checkProjects({ services }: DoctorNeeds): Promise<DoctorRow> {
  const projects = (await services.files.projects.list()).length;
  return { id: 'project-folders', state: 'ok', finding: projects ? 'known' : 'none', params: { projects } };
}

function checkWatching({ watching }: DoctorNeeds): DoctorRow {
  const id = 'folder-watch';
  const { limited, unknown } = watching();
  if (unknown.length > 0)
    return { id, state: 'attention', finding: 'unknown', params: { folders: unknown.join(', ') } };
  if (limited.length > 0)
    return { id, state: 'attention', finding: 'limited', params: { folders: limited.join(', ') } };
  return { id, state: 'ok', finding: 'working' };
}

async function checkGit({ settings, gitView }: DoctorNeeds): Promise<DoctorRow> {
  const id = 'git';
  if (!findOnPath(settings.environment, 'git')) return { id, state: 'attention', finding: 'missing' };
  const view = await gitView();
  if (view === 'working') return { id, state: 'ok', finding: 'found' };
  // Where no system of this kind has one, there is nothing to do about it.
  return { id, state: view === 'unsupported' ? 'ok' : 'attention', finding: `view-${view}` };
}

function findOnPath(environment: Environment, name: string): string | undefined {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const folders = (environment.PATH ?? '').split(delimiter).filter(isAbsolute);
  return folders
    .flatMap((folder) => endings.map((ending) => join(folder, name + ending)))
    .find((file) => existsSync(file));
}

function checkShell(): DoctorRow {
  return { id: 'shell', state: 'ok', finding: process.platform === 'win32' ? 'cmd' : 'posix' };
}

/** The command line serves nobody. */
function checkAccess({ settings: { isWithoutToken } }: DoctorNeeds): DoctorRow {
  if (isWithoutToken) return { id: 'access', state: 'attention', finding: 'open' };
  return { id: 'access', state: 'ok', finding: isWithoutToken === undefined ? 'not-served' : 'token' };
}

async function checkSandbox({ sandbox }: DoctorNeeds): Promise<DoctorRow> {
  const { kind, isWorking, problem, detail } = await sandbox();
  if (isWorking) return { id: 'sandbox', state: 'ok', finding: 'working', params: { kind } };
  return { id: 'sandbox', state: 'attention', finding: problem ?? 'unsupported', params: { reason: detail } };
}

/** Reports an unused graphics card, because the user did not choose that. */
async function checkLocalEngine({ services }: DoctorNeeds): Promise<DoctorRow> {
  const { absence, unusedGraphics } = await services.localRuntimes.check();
  if (absence) return { id: 'local-engine', state: 'attention', finding: absence };
  if (unusedGraphics.length === 0) return { id: 'local-engine', state: 'ok', finding: 'usable' };
  return { id: 'local-engine', state: 'ok', finding: 'processor-only', params: { cards: unusedGraphics.join(', ') } };
}

async function checkBrowser({ services }: DoctorNeeds): Promise<DoctorRow> {
  const finding = await services.sessionBrowser.check();
  const isFine = finding === 'usable' || finding === 'turned-off';
  return { id: 'live-browser', state: isFine ? 'ok' : 'attention', finding };
}

/** A proxy is named without its credentials. */
function checkProxy({ settings }: DoctorNeeds): DoctorRow {
  const { all } = readProxies(settings.environment);
  const unusable = all.filter(({ origin }) => origin === undefined).map(({ variable }) => variable);
  if (unusable.length)
    return { id: 'proxy', state: 'attention', finding: 'not-usable', params: { variables: unusable.join(', ') } };
  if (!all.length) return { id: 'proxy', state: 'ok', finding: 'none' };
  const proxies = all.map(({ origin, variable }) => `${origin} (${variable})`).join(', ');
  return { id: 'proxy', state: 'ok', finding: 'used', params: { proxies } };
}

async function checkCertificates({ settings: { environment } }: DoctorNeeds): Promise<DoctorRow> {
  const id = 'certificates';
  const files = await readCertificateFiles(environment);
  const named = (isReadable: boolean): string =>
    files
      .filter(({ certificates }) => certificates.length > 0 === isReadable)
      .map(({ variable, path }) => `${path} (${variable})`)
      .join(', ');
  const [unreadable, added] = [named(false), named(true)];
  if (unreadable) return { id, state: 'attention', finding: 'not-readable', params: { files: unreadable } };
  if ((await isClientCertificateUsable(environment)) === false)
    return { id, state: 'attention', finding: 'client-not-usable' };
  return added
    ? { id, state: 'ok', finding: 'added', params: { files: added } }
    : { id, state: 'ok', finding: 'built-in' };
}

async function checkBackups({ folder }: DoctorNeeds): Promise<DoctorRow> {
  const view = await readBackupSchedule(folder.path);
  if (!view.schedule) return { id: 'backups', state: 'ok', finding: 'not-scheduled' };
  const { every } = view.schedule;
  if (view.failure)
    return { id: 'backups', state: 'attention', finding: 'failed', params: { code: view.failure.code } };
  return { id: 'backups', state: 'ok', finding: every };
}
