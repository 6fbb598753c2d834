import { resolve } from 'node:path';
import { realFolder } from '@fucina/shared';
import { gitError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { commonDirOf, findRepository } from '../repository/repository.ts';
import type { GitOptions } from '../run/launcher.ts';
import { type ConfigEntry, NULL_DEVICE } from '../run/overrides.ts';
import type { Setting } from '../run/setting-listing.ts';
import { listSettings } from '../run/settings.ts';

/** Time limit of one exchange with a remote; it can be stopped earlier. */
export const REMOTE_MS = 600_000;

const SSH = 'ssh';
const SSH_OPTIONS = '-oBatchMode=yes -oConnectTimeout=20 -oServerAliveInterval=15 -oServerAliveCountMax=4';

/**
 * For a local path, git clears our settings from the environment of the remote side, so they are repeated in its
 * command: that repository may not run anything either.
 */
const OTHER_SIDE = [
  'GIT_ALLOW_PROTOCOL=none',
  'git',
  ...[
    `core.hooksPath=${NULL_DEVICE}`,
    'core.fsmonitor=false',
    'core.alternateRefsCommand=true',
    'gpg.program=false',
    'gc.auto=0',
    'maintenance.auto=false',
    'receive.autogc=false',
    // The other settings concern checkouts through filters.
    'receive.denyCurrentBranch=refuse',
  ].map((setting) => `-c ${setting}`),
].join(' ');

export interface RemoteCall {
  /**
   * The program on the remote side, passed as an option: of several configured values git takes the first, the
   * repository's.
   */
  program: string;
  options: GitOptions;
}

/**
 * Options and environment for a command that talks to this remote: the allowed transports and the user's own ssh
 * command, proxies and credential helpers, never the repository's. Throws GIT_COMMAND_FAILED (`mixed-remote`: paths and
 * URLs in one remote; `partial-clone`: a path, and a repository that fetches missing objects on demand).
 */
export async function remoteCall(place: GitFolder, remote: string, way: 'fetch' | 'push'): Promise<RemoteCall> {
  const ask = ['remote', 'get-url', '--all', ...(way === 'push' ? ['--push'] : []), '--', remote];
  const urls = (await place.git.text(ask)).split('\n').filter(Boolean);
  const isLocal = urls.some(isLocalAddress);
  if (isLocal && !urls.every(isLocalAddress)) throw gitError('GIT_COMMAND_FAILED', { reason: 'mixed-remote' });
  const listed = await listSettings(place.git, LISTED);
  // Git would fetch missing objects by itself, also from a path, and with the repository's own program.
  if (isLocal && listed.some(({ key }) => key === 'extensions.partialclone'))
    throw gitError('GIT_COMMAND_FAILED', { reason: 'partial-clone' });
  const { settings, sshCommand } = personalSettings(listed);
  const [option, name] = way === 'push' ? ['--receive-pack', 'receive-pack'] : ['--upload-pack', 'upload-pack'];
  const program = `${option}=${isLocal ? `${OTHER_SIDE} ${name}` : `git-${name}`}`;
  const options: GitOptions = {
    isRemote: true,
    timeoutMs: REMOTE_MS,
    environment: {
      // An address that changes its kind after the check is refused.
      GIT_ALLOW_PROTOCOL: isLocal ? 'file' : 'git:http:https:ssh',
      GIT_SSH_COMMAND: sshCommand,
    },
    settings: [...settings, [`remote.${remote}.mirror`, 'false']],
    writes: isLocal && way === 'push' ? (await Promise.all(urls.map((url) => foldersAt(place, url)))).flat() : [],
  };
  return { program, options };
}

/** The repository at a local address, where git looks for it; absolute real paths. */
async function foldersAt({ folder }: GitFolder, url: string): Promise<string[]> {
  const [, encoded] = /^file:\/\/[^/]*(.*)$/is.exec(url) ?? [];
  const path = resolve(folder, encoded === undefined ? url : decodeURIComponent(encoded));
  for (const place of [path, `${path}.git`]) {
    const real = await realFolder(place).catch(() => undefined); // missing: the next one, or git says so
    if (real === undefined) continue;
    const found = await findRepository(real);
    return found?.root === real ? [real, found.gitDir, await commonDirOf(found)] : [real];
  }
  return [];
}

/** Uses git's own rule to tell paths from URLs. */
function isLocalAddress(url: string): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1];
  if (scheme !== undefined) return scheme === 'file';
  if (/^[a-z0-9+.-]+::/i.test(url)) return false;
  if (process.platform === 'win32' && /^[a-z]:/i.test(url)) return true;
  const [colon, slash] = [url.indexOf(':'), url.indexOf('/')];
  return colon < 0 || (slash >= 0 && slash < colon);
}

/**
 * Settings with which a repository could redirect a connection or log its content: the value when nothing else sets
 * them.
 */
const HTTP_NEUTRAL: Readonly<Record<string, string>> = {
  proxy: '',
  proxyauthmethod: 'anyauth',
  sslverify: 'true',
  curloptresolve: '',
  cookiefile: '',
  savecookies: 'false',
  followredirects: 'initial',
  delegation: 'none',
};
const LISTED = String.raw`^(credential\.(.*\.)?helper|http\..*|remote\..*\.proxy|core\.sshcommand|extensions\.partialclone)$`;

function personalSettings(listed: readonly Setting[]): { settings: ConfigEntry[]; sshCommand: string } {
  const personal = listed.filter(({ isPersonal }) => isPersonal);
  const valuesOf = (key: string): string[] => personal.filter((one) => one.key === key).map(({ value }) => value);
  const settings: ConfigEntry[] = [];
  for (const key of new Set(listed.filter((one) => !one.isPersonal).map((one) => one.key))) {
    const name = key.slice(key.lastIndexOf('.') + 1);
    const neutral = /^(http|remote)\./.test(key) ? HTTP_NEUTRAL[name] : undefined;
    if (neutral === undefined) continue;
    const own = [valuesOf(key), valuesOf(`http.${name}`)].find((values) => values.length > 0) ?? [];
    settings.push(...[neutral, ...own].map((value): ConfigEntry => [key, value]));
  }
  if (valuesOf('http.lowspeedlimit').length === 0)
    settings.push(['http.lowSpeedLimit', '1'], ['http.lowSpeedTime', '60']);
  const helpers = personal.filter(({ key }) => key.startsWith('credential.'));
  return {
    settings: [...settings, ...helpers.map(({ key, value }): ConfigEntry => [key, value])],
    sshCommand: sshCommandOf(valuesOf('core.sshcommand').at(-1)),
  };
}

/**
 * Ours never prompts on a terminal; the user's own program is left as configured, and has no terminal to prompt on.
 */
function sshCommandOf(own: string | undefined): string {
  if (own === undefined || own.trim() === '') return `${SSH} ${SSH_OPTIONS}`;
  const program = /^\S+/.exec(own.trim())?.[0] ?? '';
  return /(^|\/)ssh$/.test(program) ? `${own} ${SSH_OPTIONS}` : own;
}
