import { systemAmbient } from '@fucina/shared';
import { freePort, pageServerCommand } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { testComputer } from './harness.ts';
import { inside } from './workbench.ts';

test('/ports lists servers in the sandbox, opens a port and closes it', async () => {
  const port = await freePort();
  const comando = pageServerCommand(port, '<h1>Inside</h1>');
  await using computer = await testComputer(({ lastRole }) =>
    lastRole === 'user' ? { toolCalls: [{ name: 'shell', arguments: { comando, sfondo: true } }] } : { text: 'Done.' },
  );
  await using one = await inside(computer);
  await one.type('/ports');
  expect(one.reported).toEqual(['info: No conversation yet. Send a message first.']);
  await one.type('serve it');
  await one.rests();
  const listed = async (): Promise<string | undefined> => {
    await one.type('/ports');
    return one.reported.at(-1);
  };
  const address = `http://127.0.0.1:${port}`;
  while ((await listed()) === 'info: No servers run in the sandbox of this session.')
    await systemAmbient('silent').sleep(20);
  expect(await listed()).toBe(`info: Servers in the sandbox\n${String(port).padEnd(6)} not open on this computer`);
  await expect(fetch(address)).rejects.toThrow();
  for (const wrong of ['open', 'open 0', 'open 80x', 'shut 80', `${port}`]) {
    await one.type(`/ports ${wrong}`);
    expect(one.reported.at(-1)).toContain('Usage: /ports [open <port> | close <port>]');
  }
  await one.type('/ports open 1');
  expect(one.reported.at(-1)).toBe('warning: No server of this session listens on port 1.');
  await one.type(`/ports open ${port}`);
  expect(one.reported.at(-1)).toBe(`info: Port ${port} is open: ${address}`);
  expect(await (await fetch(address)).text()).toContain('Inside');
  expect(await listed()).toBe(`info: Servers in the sandbox\n${String(port).padEnd(6)} ${address}`);
  await one.type(`/ports close ${port}`);
  expect(one.reported.at(-1)).toBe(`info: Port ${port} is closed.`);
  await expect(fetch(address)).rejects.toThrow();
});
