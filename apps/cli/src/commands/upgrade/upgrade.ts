import { createOutboundHttp, type OutboundHttp } from '@fucina/shared';
import { VERSION } from '@fucina/shared/version';
import compareVersions from 'semver/functions/compare.js';
import { cleanText } from '../../clean-text.ts';
import type { CommonFlags } from '../../command-facts.ts';
import { readConfig } from '../../config/config.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { dataDirOf } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import { type Candidate, installCandidate } from './install-candidate.ts';
import { findInstallation, type Installation } from './installation.ts';
import { newestInRegistry } from './npm-package.ts';
import { fetchRelease, newestOf, sourceAt } from './release-source.ts';
import { UpgradeProblem } from './upgrade-problem.ts';

const CHANNELS = {
  stable: { files: ['stable.json'], tags: ['latest'] },
  preview: { files: ['stable.json', 'preview.json'], tags: ['latest', 'preview'] },
} as const;

interface Request {
  flags: CommonFlags;
  terminal: Terminal;
  installation: Installation;
  signal: AbortSignal;
  /** A folder or an address of packages; default: the registry of the user's npm. */
  from: string | undefined;
}

/** Looks for a newer version on the user's channel, shows what changes, asks, and installs it. */
export async function upgrade(flags: CommonFlags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, err } = terminal;
  const from = typeof flags['from'] === 'string' ? flags['from'] : io.env['FUCINA_UPDATES'] || undefined;
  const installation = findInstallation();
  if (from === undefined && installation.kind !== 'npm') {
    err(`fucina: ${say(`upgrade.of-${installation.kind}`)}`);
    return EXIT.configuration;
  }
  const stop = new AbortController();
  const forget = io.onInterrupt(() => stop.abort());
  const own = io.http ? undefined : createOutboundHttp({ ambient: await io.ambient('error'), environment: io.env });
  try {
    const request = { flags, terminal, installation, signal: stop.signal, from };
    return await upgradeFrom(request, (io.http ?? own) as OutboundHttp);
  } catch (error) {
    if (stop.signal.aborted) return EXIT.interrupted;
    if (!(error instanceof UpgradeProblem)) throw error;
    err(`fucina: ${say(error.key, cleaned(error.params))}`);
    return EXIT.failed;
  } finally {
    forget();
    await own?.[Symbol.asyncDispose]();
  }
}

async function upgradeFrom(request: Request, http: OutboundHttp): Promise<ExitCode> {
  const { flags, terminal, installation, signal } = request;
  const { updateChannel: channel } = readConfig(terminal.io, terminal.io.cwd);
  const newest = await (request.from ? fromSource : fromRegistry)(request, { channel, http });
  if (newest === undefined || compareVersions(newest.version, VERSION) <= 0) {
    return report({ channel }, flags, terminal);
  }
  if (flags['check']) return report({ channel, newest: newest.version }, flags, terminal);
  if (installation.kind !== 'npm') {
    return report({ channel, newest: newest.version, path: await newest.packageSpec() }, flags, terminal);
  }
  const ended = await installCandidate(newest, { flags, terminal, folder: installation.folder, signal });
  if (typeof ended === 'number') return ended;
  return report({ channel, newest: newest.version, ...ended }, flags, terminal);
}

interface Channel {
  channel: keyof typeof CHANNELS;
  http: OutboundHttp;
}

async function fromRegistry({ terminal, signal }: Request, { channel }: Channel): Promise<Candidate | undefined> {
  const { io } = terminal;
  const place = { ambient: await io.ambient('error'), environment: io.env, cwd: io.home, signal };
  const version = await newestInRegistry(CHANNELS[channel].tags, place);
  return version === undefined ? undefined : { version, packageSpec: async () => `fucina@${version}` };
}

async function fromSource(request: Request, { channel, http }: Channel): Promise<Candidate | undefined> {
  const { io } = request.terminal;
  const source = sourceAt(request.from ?? '', io.cwd, http);
  const newest = await newestOf(source, CHANNELS[channel].files);
  if (newest === undefined) return undefined;
  return {
    version: newest.version,
    packageSpec: async () => fetchRelease(newest, source, await dataDirOf(io, request.flags)),
  };
}

interface Report {
  channel: string;
  newest?: string;
  /** Of the package on this computer. */
  path?: string;
  isInstalled?: boolean;
  /** Of the data, from before the upgrade. */
  backup?: string | undefined;
}

function report(
  { newest, path, channel, isInstalled = false, backup }: Report,
  flags: CommonFlags,
  terminal: Terminal,
) {
  const { out, say } = terminal;
  if (flags.json) {
    const facts = { version: VERSION, channel, newest: newest ?? null, path: path ?? null };
    out(JSON.stringify({ ...facts, installed: isInstalled, backup: backup ?? null }));
  } else if (newest === undefined) out(say('upgrade.none', { version: VERSION, channel }));
  else if (isInstalled) {
    out(say('upgrade.installed', { version: newest, previous: VERSION }));
    if (backup !== undefined) out(say('upgrade.backup', { path: cleanText(backup) }));
    out(say('upgrade.restart'));
  } else if (path === undefined) out(say('upgrade.there', { version: newest }));
  else out(say('upgrade.fetched', { version: newest, path: cleanText(path) }));
  return EXIT.done;
}

function cleaned(params: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, cleanText(value)]));
}
