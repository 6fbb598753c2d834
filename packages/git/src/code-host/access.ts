import { failureOf, HOST, type HostTool } from './tool.ts';

export interface HostAccess {
  isSignedIn: boolean;
  account: string | null;
  scopes: string[];
  protocol: string | null;
  /** Where gh stores its credentials, in one word. */
  source: string | null;
}

export const NO_ACCESS: HostAccess = { isSignedIn: false, account: null, scopes: [], protocol: null, source: null };

/** Parses gh's output, whose format has changed over time. Throws HOST_COMMAND_FAILED when gh could not check. */
export async function readAccess(tool: HostTool): Promise<HostAccess> {
  const outcome = await tool.run(['auth', 'status', '--hostname', HOST]);
  const text = activeOf(`${outcome.stdout}\n${outcome.stderr}`);
  const [, account, source] = /Logged in to \S+ (?:as|account) (\S+) \((.+)\)/.exec(text) ?? [];
  if (outcome.exitCode !== 0 || account === undefined) {
    if (/timeout|error connecting|no such host|connection refused|proxyconnect/i.test(text))
      throw failureOf({ ...outcome, stderr: 'error connecting' }, 'auth status');
    return NO_ACCESS;
  }
  const scopes = /Token scopes: (.*)/.exec(text)?.[1] ?? '';
  return {
    isSignedIn: true,
    account,
    scopes: scopes.split(/[\s,']+/).filter((scope) => /^[\w:]+$/.test(scope) && scope !== 'none'),
    protocol:
      /(?:configured to use (\w+) protocol|Git operations protocol: (\w+))/.exec(text)?.slice(1).find(Boolean) ?? null,
    source: sourceOf(source ?? ''),
  };
}

/** The lines about the active account, if there are several. */
function activeOf(said: string): string {
  const accounts = said.split(/(?=[^\n]*Logged in to )/);
  return accounts.find((one) => /Active account: true/.test(one)) ?? said;
}

/** Never a path. */
function sourceOf(text: string): string {
  if (text === 'keyring') return text;
  return /^[A-Z_]+$/.test(text) ? text : 'file';
}
