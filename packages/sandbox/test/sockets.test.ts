import { createServer } from 'node:net';
import { join } from 'node:path';
import { runProcess, systemAmbient } from '@fucina/shared';
import { OPEN_TO_ALL, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createSessionNetworks } from '../src/network/session-network.ts';
import { createSandbox } from '../src/sandbox.ts';

const ambient = systemAmbient('silent');
const programs = async () => ({ bubblewrap: '/usr/bin/bwrap', nsenter: '/usr/bin/nsenter' });

/** Prints what the socket answers, or why it does not. */
const ask = (path: string): string =>
  `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); print connect(S, pack_sockaddr_un($ARGV[0])) ? <S> : "no $!"' ${path}`;

test('reaches a socket in the folder that a command of the session opened, and none of the programs outside', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({ 'project/run/readme': 'x', 'home/x': '' });
  const folder = join(dir.path, 'project');
  const server = createServer((socket) => socket.end('outside'));
  await new Promise<void>((resolve) => server.listen({ path: join(folder, 'run/outside.sock') }, resolve));
  const environment = { ...process.env, HOME: join(dir.path, 'home') };
  await using networks = createSessionNetworks({ ambient, environment, programs });
  await using sandbox = createSandbox({ ambient, environment, dataDir: join(dir.path, 'data'), networks });
  const run = async (script: string): Promise<string> => {
    const argv = ['/bin/sh', '-c', script] as const;
    const job = { argv, sessionId: 's', folder, cwd: folder, writes: 'folder' } as const;
    const { settle, ...contained } = await sandbox.contain(job);
    const { stdout } = await runProcess({ ...contained, ambient, environment });
    await settle();
    return stdout.bytes.toString();
  };
  expect(await run(ask('run/outside.sock'))).toMatch(/^no Connection refused/);
  const own = `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un("run/own.sock")); listen(S, 1);
    if (fork) { accept(C, S); print C "own" } else { exec @ARGV }' sh -c "$(cat <<'END'
${ask('run/own.sock')}
END
)"`;
  expect(await run(own)).toBe('own');
  server.close();
});
