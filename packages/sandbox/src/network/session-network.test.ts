import { readdir, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProcess } from '@fucina/shared';
import { createConnectProxy } from '@fucina/shared/testing';
import { freePort, OUTSIDE_TEMPORARY, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ambient, echoServer, hostServer, networksWith, programs, sh, until } from '../../test/session-networks.ts';
import { createNetworkRules } from './network-rules.ts';
import type { NetworkQuestion, SessionNetworkNeeds } from './session-network.ts';

let host: Server;
let port: number;

beforeAll(async () => {
  ({ server: host, port } = await hostServer());
});

afterAll(() => {
  host.close();
});

const get = (address: string, more = ''): string => `curl -s --max-time 5 --noproxy '' ${more} ${address}`;

describe('a session network', () => {
  test('reaches a local port only by a rule that names it', async () => {
    await using closed = networksWith();
    await using open = networksWith({}, [`Network(127.0.0.1:${port})`]);
    expect(await sh(closed, get(`http://127.0.0.1:${port}/x`))).toBe(
      `Fucina blocks 127.0.0.1:${port}: it is a private or local address. Allow it with the rule Network(127.0.0.1:${port}).`,
    );
    expect(await sh(open, get(`http://127.0.0.1:${port}/x`))).toBe('host saw GET /x');
    expect(closed.refusals('one')).toMatchObject([{ host: '127.0.0.1', port, reason: 'private' }]);
  });

  test('reaches a local port that a rule names without a proxy too, and no longer once the rule is gone', async () => {
    const rules = ['Network(localhost:' + String(port) + ')'];
    let texts = rules;
    await using networks = networksWith({
      rule: async (target) => createNetworkRules({ allow: texts, ask: [], deny: [] }).judge(target),
      localPorts: async () => [port],
    });
    const direct = `curl -s --max-time 5 http://localhost:${port}/y`;
    expect(await sh(networks, direct)).toBe('host saw GET /y');
    texts = [];
    expect(await sh(networks, `${direct}; echo $?`)).toMatch(/^(52|56)$/);
    expect(await (await networks.servers('one'))?.list()).toEqual([]);
  });

  test('has no way around the proxy: every direct connection fails', async () => {
    await using networks = networksWith();
    for (const host of [
      '127.0.0.1',
      '[::1]',
      '0.0.0.0',
      '2130706433',
      '0x7f.1',
      '0177.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
    ]) {
      const direct = `env -u http_proxy -u HTTP_PROXY -u ALL_PROXY -u all_proxy curl -s --max-time 2 http://${host}:${port}/`;
      expect([host, await sh(networks, `${direct} && echo reached`)]).toEqual([host, '']);
      const proxied = await sh(networks, get(`http://${host}:${port}/`));
      expect([host, proxied]).toEqual([host, expect.stringContaining('it is a private or local address')]);
      const socks = await sh(
        networks,
        `${get(`http://${host}:${port}/`, '--socks5-hostname "${http_proxy#http://}"')}; echo $?`,
      );
      expect([host, socks]).toEqual([host, expect.stringMatching(/^(97|7)$/)]);
    }
  });

  test('leaves through the proxy of this computer, and says in the result when that refuses', async () => {
    await using open = await createConnectProxy(port);
    await using closed = await createConnectProxy({ status: 407 });
    const allow = ['Network(example.org)', 'Network(example.net)'];
    const environment = { ...process.env, http_proxy: open.address, https_proxy: closed.address };
    await using networks = networksWith({ environment }, allow);
    expect(await sh(networks, get('http://example.org/x'))).toBe('host saw GET /x');
    expect(open.asked).toEqual(['http://example.org/x']);
    expect(await sh(networks, `${get('https://example.net/')}; echo $?`)).toBe('56');
    expect(networks.refusals('one')).toMatchObject([{ host: 'example.net', reason: 'proxy' }]);
    expect(networks.refusals('one')[0]?.sentence).toContain(`The proxy http://${closed.address} requires a user name`);
  });

  test('sees no abstract socket of this computer', async () => {
    const name = `\0fucina-test-${process.pid}`;
    const abstract = createSocketServer((socket) => socket.end('reached')).listen(name);
    await using networks = networksWith();
    const connect = `node -e "require('net').connect('\\0fucina-test-${process.pid}').on('data', d => console.log(String(d))).on('error', e => console.log(e.code))"`;
    expect(await sh(networks, connect)).toBe('ECONNREFUSED');
    const outside = await runProcess({ ambient, environment: process.env, argv: ['sh', '-c', connect], cwd: '/' });
    expect(outside.stdout.bytes.toString()).toBe('reached\n');
    abstract.close();
  });

  test('is shared by the commands of a session, and by no other session', async () => {
    await using networks = networksWith();
    const free = await freePort();
    const server = sh(networks, echoServer(free));
    const ask = `until curl -s --max-time 2 http://127.0.0.1:${free}/; do sleep 0.1; done`;
    expect(await sh(networks, ask)).toBe('inside');
    expect(await sh(networks, `curl -s --max-time 2 http://127.0.0.1:${free}/; echo $?`, 'other')).toBe('7');
    await sh(networks, `curl -s http://127.0.0.1:${free}/end`);
    await networks.forget('one');
    await server;
  });

  test('passes the network of the self-test on to the first session only', async () => {
    await using networks = networksWith({}, [`localhost:${port}`]);
    const trial = await sh(networks, 'readlink /proc/self/ns/net', 'trial');
    await networks.handOn('trial');
    const first = await sh(networks, 'readlink /proc/self/ns/net', 'first');
    const second = await sh(networks, 'readlink /proc/self/ns/net', 'second');
    expect(first).toBe(trial);
    expect(second).toMatch(/^net:/);
    expect(second).not.toBe(trial);
    const refused = await sh(networks, 'curl -sS http://refused.invalid/', 'first');
    expect(refused).not.toBe('');
    expect(networks.refusals('first')).toMatchObject([{ host: 'refused.invalid' }]);
    expect(networks.recent()).toMatchObject([{ sessionId: 'first', folder: tmpdir() }]);
    expect(networks.refusals('trial')).toEqual([]);
  });

  test('asks once for a host that many connections want, and names the program', async () => {
    const asked: NetworkQuestion[] = [];
    const names = lookupOf({ 'package.example': '127.0.0.1' });
    await using networks = networksWith({
      ...names,
      async ask(question) {
        asked.push(question);
        await ambient.sleep(300);
        return 'once';
      },
    });
    const address = `http://package.example:${port}/`;
    const many = await sh(networks, `for i in 1 2 3 4; do ${get(address)} & done; wait; ${get(address)}`);
    // Allowed by name, but refused because it resolves to a private address.
    expect(many.match(/it is a private or local address/g)).toHaveLength(5);
    expect(asked).toMatchObject([{ sessionId: 'one', host: 'package.example', port, program: 'curl' }]);
    expect(asked[0]?.command).toContain('curl -s');
  });

  test('withdraws the question when the program exits, and treats silence as no answer', async () => {
    // Temporary files may be in /dev, which is another one inside.
    await using folder = await tempDir('.fucina-asked-', OUTSIDE_TEMPORARY);
    let asked = 0;
    let withdrawn = 0;
    await using networks = networksWith({
      ask: (_question, signal) =>
        new Promise((resolve) => {
          asked++;
          signal.addEventListener('abort', () => {
            withdrawn++;
            resolve('once');
          });
        }),
    });
    for (let round = 1; round <= 2; round++) {
      const isAsked = join(folder.path, `asked-${round}`);
      const client = `curl -s http://package.example:${port}/ & until [ -e ${isAsked} ]; do sleep 0.1; done; kill $!`;
      const ended = sh(networks, client);
      await until(async () => asked === round);
      await writeFile(isAsked, '');
      await ended;
      await until(async () => withdrawn === round);
    }
    expect([asked, withdrawn]).toEqual([2, 2]);
  });

  test('explains to git over ssh what to use instead', async () => {
    await using networks = networksWith();
    const out = await sh(networks, 'git ls-remote ssh://git@code.example/a.git');
    expect(out).toContain(
      'Fucina blocks git over ssh in the sandbox: use an https remote, or run the command with Full access.',
    );
    expect(out.match(/Fucina blocks/g)).toHaveLength(1);
  });

  test('is refused as a whole where a program is missing', async () => {
    await using networks = networksWith({ programs: async () => undefined });
    await expect(networks.enter({ sessionId: 'one', folder: '/' })).rejects.toThrow('No network namespace');
    await using broken = networksWith({ programs: async () => ({ ...programs, bubblewrap: '/bin/false' }) });
    await expect(broken.enter({ sessionId: 'one', folder: '/' })).rejects.toThrow('No network namespace: exit code 1');
  });

  test('leaves nothing behind: no socket, no descriptor, no process', async () => {
    const before = (await readdir('/proc/self/fd')).length;
    for (let round = 0; round < 3; round++) {
      await using networks = networksWith();
      await sh(networks, 'true');
    }
    await until(async () => (await readdir('/proc/self/fd')).length <= before);
  });
});

function lookupOf(known: Record<string, string>): Pick<SessionNetworkNeeds, 'lookup'> {
  const lookup = (name: string, _options: object, done: (error: Error | null, found: object[]) => void): void => {
    const address = known[name];
    if (address === undefined) done(new Error('unknown'), []);
    else done(null, [{ address, family: 4 }]);
  };
  return { lookup: lookup as unknown as NonNullable<SessionNetworkNeeds['lookup']> };
}
