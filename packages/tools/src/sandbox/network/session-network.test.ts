import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { runProcess, systemAmbient } from '@fucina/shared';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createNetworkRules } from './network-rules.ts';
import { createSessionNetworks, type SessionNetworkNeeds, type SessionNetworks } from './session-network.ts';

const ambient = systemAmbient('silent');
const programs = { bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' };

function networksWith(needs: Partial<SessionNetworkNeeds> = {}, allow: string[] = []): SessionNetworks {
  const rules = createNetworkRules({ allow, ask: [], deny: [] });
  return createSessionNetworks({
    ambient,
    environment: process.env,
    programs: async () => programs,
    rule: async (target) => rules.judge(target),
    ...needs,
  });
}

async function sh(networks: SessionNetworks, command: string, sessionId = 'one'): Promise<string> {
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

let host: Server;
let port: number;

beforeAll(async () => {
  host = createServer((request, response) => response.end(`host saw ${request.method} ${request.url}`));
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  port = (host.address() as AddressInfo).port;
});

afterAll(() => {
  host.close();
});

describe('a session network', () => {
  test('reaches a local port only by a rule that names it', async () => {
    await using closed = networksWith();
    await using open = networksWith({}, [`Network(127.0.0.1:${port})`]);
    const get = `curl -s --noproxy '' http://127.0.0.1:${port}/x`;
    expect(await sh(closed, get)).toBe(
      `Fucina blocks 127.0.0.1:${port}: it is a private or local address. Allow it with the rule Network(127.0.0.1:${port}).`,
    );
    expect(await sh(open, get)).toBe('host saw GET /x');
  });
});
