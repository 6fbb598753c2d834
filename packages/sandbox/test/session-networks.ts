import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { runProcess, systemAmbient } from '@fucina/shared';
import { createNetworkRules } from '../src/network/network-rules.ts';
import {
  createSessionNetworks,
  type SessionNetworkNeeds,
  type SessionNetworks,
} from '../src/network/session-network.ts';

export const ambient = systemAmbient('silent');
export const programs = { bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' };

export function networksWith(needs: Partial<SessionNetworkNeeds> = {}, allow: string[] = []): SessionNetworks {
  const rules = createNetworkRules({ allow, ask: [], deny: [] });
  return createSessionNetworks({
    ambient,
    environment: process.env,
    programs: async () => programs,
    rule: async (target) => rules.judge(target),
    localPorts: async () => rules.localPorts,
    ...needs,
  });
}

export async function sh(networks: SessionNetworks, command: string, sessionId = 'one'): Promise<string> {
  const { prefix, environment, isUserNamespace } = await networks.enter({ sessionId, folder: tmpdir() });
  const user = isUserNamespace
    ? ['--unshare-user', '--uid', `${process.getuid?.()}`, '--gid', `${process.getgid?.()}`]
    : [];
  const inside = [
    ...user,
    '--cap-drop',
    'ALL',
    '--unshare-pid',
    '--ro-bind',
    '/',
    '/',
    '--dev',
    '/dev',
    '--proc',
    '/proc',
  ];
  const outcome = await runProcess({
    ambient,
    environment: process.env,
    extraEnvironment: environment,
    argv: [...prefix, programs.bubblewrap, ...inside, '--', 'sh', '-c', command] as unknown as [string, ...string[]],
    cwd: tmpdir(),
    isContainer: true,
  });
  return Buffer.concat([outcome.stdout.bytes, outcome.stderr.bytes]).toString().trim();
}

export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await ambient.sleep(50);
}

/** A server of this computer, outside of every session's network. */
export async function hostServer(): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => response.end(`host saw ${request.method} ${request.url}`));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** A command that answers each request, until one of `/end`; ends by itself where a test fails. */
export function echoServer(at: number, address = '127.0.0.1'): string {
  const answer = "(q, r) => r.end('inside', () => q.url === '/end' && process.exit())";
  return `timeout 120 node -e "require('http').createServer(${answer}).listen(${at}, '${address}')"; true`;
}
