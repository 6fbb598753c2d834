import type { Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { freePort } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { echoServer, hostServer, networksWith, sh, until } from '../../test/session-networks.ts';
import type { SessionNetworks } from './session-network.ts';

let host: Server;
let port: number;

beforeAll(async () => {
  ({ server: host, port } = await hostServer());
});

afterAll(() => {
  host.close();
});

describe('servers of a session', () => {
  test.each(['127.0.0.1', '::1'])('reaches a server on %s from here only while it is open', async (address) => {
    const [free, neighbor] = [await freePort(), await freePort()];
    await using networks = networksWith();
    const running = [sh(networks, echoServer(free, address)), sh(networks, echoServer(neighbor, address))];
    const servers = await serversOf(networks, 'one', [free, neighbor]);
    expect(await servers.list()).toEqual([closedAt(free), closedAt(neighbor)].sort((a, b) => a.port - b.port));
    for (const port of [free, neighbor]) await expect(answerOf(port)).rejects.toThrow();
    expect(await servers.open(free)).toEqual({ port: free, openedAt: free, because: null });
    expect(await Promise.all([1, 2, 3].map(() => answerOf(free)))).toEqual(['inside', 'inside', 'inside']);
    expect(await servers.open(free)).toEqual({ port: free, openedAt: free, because: null });
    await expect(answerOf(neighbor)).rejects.toThrow();
    servers.close(free);
    servers.close(neighbor);
    await until(async () =>
      answerOf(free).then(
        () => false,
        () => true,
      ),
    );
    expect((await servers.list()).map(({ openedAt }) => openedAt)).toEqual([null, null]);
    await servers.open(neighbor);
    await endServers([free, neighbor]);
    await Promise.all(running);
    await expect(answerOf(neighbor)).rejects.toThrow();

    async function endServers(ports: number[]): Promise<void> {
      for (const port of ports) await sh(networks, `curl -s http://localhost:${port}/end`);
      await until(async () => (await servers.list()).length === 0);
    }
  });

  test('opens nothing where no server of this session listens', async () => {
    await using networks = networksWith({ ownPorts: () => [own] });
    const [free, own, other] = [await freePort(), await freePort(), await freePort()];
    expect(await networks.servers('one')).toBeUndefined();
    const running = [sh(networks, echoServer(own)), sh(networks, echoServer(other)), sh(networks, 'true', 'two')];
    const servers = await serversOf(networks, 'one', [other]);
    for (const absent of [free, own, port]) {
      expect([await servers.open(absent), await servers.connect(absent)]).toEqual([undefined, undefined]);
    }
    const ofAnother = await networks.servers('two');
    expect([await ofAnother?.list(), await ofAnother?.open(other)]).toEqual([[], undefined]);
    expect(await servers.list()).toEqual([closedAt(other)]);
    for (const listening of [own, other]) await sh(networks, `curl -s http://127.0.0.1:${listening}/end`);
    await Promise.all(running);
  });

  test('connects this process to a server without opening a port', async () => {
    const free = await freePort();
    await using networks = networksWith();
    const running = sh(networks, echoServer(free));
    const servers = await serversOf(networks, 'one', [free]);
    const socket = await servers.connect(free);
    const answer = new Promise<string>((resolve) => socket?.once('data', (bytes) => resolve(String(bytes))));
    socket?.write('GET / HTTP/1.0\r\n\r\n');
    expect(await answer).toContain('200 OK');
    await expect(answerOf(free)).rejects.toThrow();
    socket?.destroy();
    await sh(networks, `curl -s http://127.0.0.1:${free}/end`);
    await running;
  });

  test('opens a server whose port is in use here at another port', async () => {
    await using networks = networksWith();
    const running = sh(networks, echoServer(port));
    const servers = await serversOf(networks, 'one', [port]);
    const server = await servers.open(port);
    expect(server).toEqual({ port, openedAt: expect.any(Number), because: 'in-use' });
    expect(await answerOf(server?.openedAt)).toBe('inside');
    expect(await answerOf(port)).toBe('host saw GET /');
    await answerOf(server?.openedAt, '/end');
    await running;
  });

  test('opens a server on a reserved port at another one, also when it becomes reserved later', async () => {
    const [model, later] = [await freePort(), await freePort()];
    const reserved = new Set([model]);
    await using networks = networksWith({ isReservedPort: async (asked) => reserved.has(asked) });
    const running = [sh(networks, echoServer(model)), sh(networks, echoServer(later))];
    const servers = await serversOf(networks, 'one', [model, later]);
    const server = await servers.open(model);
    expect(server).toEqual({ port: model, openedAt: expect.any(Number), because: 'reserved' });
    expect(server?.openedAt).not.toBe(model);
    expect(await answerOf(server?.openedAt)).toBe('inside');
    await expect(answerOf(model)).rejects.toThrow();
    expect(await servers.open(later)).toEqual({ port: later, openedAt: later, because: null });
    reserved.add(later);
    const openedAt = async () => (await servers.list()).find((one) => one.port === later)?.openedAt ?? later;
    await until(async () => (await openedAt()) !== later);
    await expect(answerOf(later)).rejects.toThrow();
    await answerOf(await openedAt(), '/end');
    await answerOf(server?.openedAt, '/end');
    await Promise.all(running);
  });

  test('reports a server once, unless it has ended', async () => {
    const [lasting, brief] = [await freePort(), await freePort()];
    await using networks = networksWith();
    const entry = await networks.enter({ sessionId: 'one', folder: tmpdir() });
    const running = [sh(networks, echoServer(lasting)), sh(networks, echoServer(brief))];
    await serversOf(networks, 'one', [lasting, brief]);
    await sh(networks, `curl -s http://127.0.0.1:${brief}/end`);
    await running[1];
    await entry.settle();
    expect([entry.notices(), entry.notices()]).toEqual([
      [
        `A server listens on port ${lasting} in the sandbox. Commands and the live browser reach it at http://127.0.0.1:${lasting}; other programs on this computer only after the user opens the port, in the Preview tab or with /ports open ${lasting}.`,
      ],
      [],
    ]);
    await sh(networks, `curl -s http://127.0.0.1:${lasting}/end`);
    await running[0];
  });

  test('closes an open port and its connections with the session', async () => {
    const free = await freePort();
    await using networks = networksWith();
    const server = `s => s.on('error', () => {}).on('close', () => process.exit()).write('here')`;
    const running = sh(networks, `timeout 60 node -e "require('net').createServer(${server}).listen(${free})"; true`);
    const servers = await serversOf(networks, 'one', [free]);
    await servers.open(free);
    const socket = connect(free, '127.0.0.1');
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    await new Promise((resolve) => socket.once('data', resolve));
    await networks.forget('one');
    await Promise.all([closed, running]);
    await expect(answerOf(free)).rejects.toThrow();
    await sh(networks, 'true');
    expect(await (await networks.servers('one'))?.list()).toEqual([]);
  });
});

const closedAt = (port: number) => ({ port, openedAt: null, because: null });

/** Once these ports listen in the network of a session. */
async function serversOf(networks: SessionNetworks, sessionId: string, ports: readonly number[]) {
  const servers = await networks.servers(sessionId);
  if (!servers) throw new Error('no network');
  await until(async () => {
    const listed = (await servers.list()).map(({ port }) => port);
    return ports.every((port) => listed.includes(port));
  });
  return servers;
}

async function answerOf(port: number | null | undefined, path = '/'): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}${path}`)).text();
}
