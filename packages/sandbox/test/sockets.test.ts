import { createServer } from 'node:net';
import { join } from 'node:path';
import { OPEN_TO_ALL, tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { sandboxedFolder } from './sandboxed-folder.ts';

/** Prints what the socket answers, or why it does not. */
const ask = (path: string): string =>
  `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); print connect(S, pack_sockaddr_un($ARGV[0])) ? <S> : "no $!"' ${path}`;

test('reaches a socket in the folder that a command of the session opened, and none of the programs outside', async () => {
  await using dir = await tempDir('fucina-', OPEN_TO_ALL);
  await dir.write({ 'project/run/readme': 'x', 'home/x': '' });
  await using place = sandboxedFolder(dir.path);
  const server = createServer((socket) => socket.end('outside'));
  await new Promise<void>((resolve) => server.listen({ path: join(place.folder, 'run/outside.sock') }, resolve));
  expect(await place.print(ask('run/outside.sock'))).toMatch(/^no Connection refused/);
  const own = `perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0); bind(S, pack_sockaddr_un("run/own.sock")); listen(S, 1);
    if (fork) { accept(C, S); print C "own" } else { exec @ARGV }' sh -c "$(cat <<'END'
${ask('run/own.sock')}
END
)"`;
  expect(await place.print(own)).toBe('own');
  server.close();
});
