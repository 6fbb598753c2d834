import { accessSync, constants, statfsSync } from 'node:fs';
import type { DoctorCheck, DoctorRow } from '@fucina/diagnostics';
import { capturedText, runProcess } from '@fucina/shared';
import type { DataFolder } from './data-folder.ts';
import type { HostSettings, Services } from './host.ts';

export interface DoctorNeeds {
  settings: HostSettings;
  folder: DataFolder;
  services: Pick<Services, 'sessions' | 'providers' | 'files'>;
}

const LOW_SPACE_BYTES = 512 * 1024 * 1024;

/** Every row of the report, each from the domain that knows. */
export function doctorChecks(needs: DoctorNeeds): ReadonlyMap<string, DoctorCheck> {
  return new Map<string, DoctorCheck>([
    ['data-folder', () => checkDataFolder(needs)],
    ['free-space', () => checkFreeSpace(needs)],
    ['session-store', () => checkSessions(needs)],
    ['key-store', () => checkKeyStore(needs)],
    ['providers', () => checkProviders(needs)],
    ['project-folders', () => checkProjects(needs)],
    ['git', () => checkProgram(needs, 'git', '--version')],
    ['shell', () => checkShell()],
    ['sandbox', () => ({ id: 'sandbox', state: 'attention', finding: 'not-used' })],
    ['runtime', () => ({ id: 'runtime', state: 'ok', finding: 'running', params: { version: process.version } })],
  ]);
}

function checkDataFolder({ folder }: DoctorNeeds): DoctorRow {
  try {
    accessSync(folder.path, constants.W_OK);
    return { id: 'data-folder', state: 'ok', finding: 'writable' };
  } catch {
    // Any reason is the same answer: nothing can be kept.
    return { id: 'data-folder', state: 'error', finding: 'not-writable' };
  }
}

function checkFreeSpace({ folder }: DoctorNeeds): DoctorRow {
  const { bavail, bsize } = statfsSync(folder.path);
  const freeBytes = bavail * bsize;
  const gib = Math.round((freeBytes / 1024 ** 3) * 10) / 10;
  const isLow = freeBytes < LOW_SPACE_BYTES;
  return { id: 'free-space', state: isLow ? 'attention' : 'ok', finding: isLow ? 'low' : 'enough', params: { gib } };
}

function checkSessions({ services }: DoctorNeeds): DoctorRow {
  const { sessions, recovered } = services.sessions.check();
  if (recovered)
    return { id: 'session-store', state: 'attention', finding: 'interrupted', params: { sessions, recovered } };
  return { id: 'session-store', state: 'ok', finding: 'open', params: { sessions } };
}

async function checkKeyStore({ services }: DoctorNeeds): Promise<DoctorRow> {
  const { kind, state } = await services.providers.keys.state();
  if (kind === 'memory') return { id: 'key-store', state: 'attention', finding: 'memory' };
  return { id: 'key-store', state: state === 'ready' ? 'ok' : 'error', finding: state };
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

async function checkProgram({ settings, folder }: DoctorNeeds, name: string, flag: string): Promise<DoctorRow> {
  const { ambient, environment } = settings;
  const outcome = await runProcess({ ambient, environment, argv: [name, flag], cwd: folder.path, timeoutMs: 3_000 });
  if (outcome.exitCode !== 0) return { id: name, state: 'attention', finding: 'missing' };
  return { id: name, state: 'ok', finding: 'found', params: { version: capturedText(outcome.stdout).trim() } };
}

function checkShell(): DoctorRow {
  return { id: 'shell', state: 'ok', finding: process.platform === 'win32' ? 'cmd' : 'posix' };
}
