import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@fucina/testkit';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { workspaceToolsOn } from '../../test/run-tool.ts';
import type { WorkspaceTools } from '../workspace-tools.ts';

let data: TempDir;
let workspaceTools: WorkspaceTools;
beforeAll(async () => {
  data = await tempDir();
  workspaceTools = workspaceToolsOn(data.path);
});
afterAll(async () => {
  await workspaceTools.commands[Symbol.asyncDispose]();
  await data[Symbol.asyncDispose]();
});

let count = 0;
async function run(folder: string, text: string, signal = new AbortController().signal) {
  await writeFile(join(folder, 'setup'), text);
  await chmod(join(folder, 'setup'), 0o755);
  const pieces: string[] = [];
  const onText = (piece: string): void => void pieces.push(piece);
  const end = await workspaceTools.commands.runScript({
    id: `w${++count}`,
    command: './setup',
    folder,
    signal,
    onText,
  });
  return { ...end, output: pieces.join('') };
}

describe('a script of a project', () => {
  test('runs in the folder, its output arrives, and nothing of it is stored', async () => {
    await using project = await tempDir();
    const end = await run(project.path, '#!/bin/sh\npwd\necho made > made.txt\n');
    expect(end).toMatchObject({ exitCode: 0, output: `${project.path}\n` });
    expect(await readFile(join(project.path, 'made.txt'), 'utf8')).toBe('made\n');
    for (const folder of ['outputs', 'tmp']) expect(await readdir(join(data.path, folder)).catch(() => [])).toEqual([]);
  });

  test('can write nothing outside the folder', async () => {
    await using project = await tempDir();
    await using other = await tempDir();
    const end = await run(project.path, `#!/bin/sh\necho x > ${other.path}/x.txt\n`);
    expect(end.exitCode).not.toBe(0);
    expect(await readdir(other.path)).toEqual([]);
  });

  test('reports how it failed', async () => {
    await using project = await tempDir();
    expect(await run(project.path, '#!/bin/sh\necho broken >&2\nexit 3\n')).toMatchObject({
      exitCode: 3,
      output: 'broken\n',
    });
  });

  test('ends with all its processes when it is stopped', async () => {
    await using project = await tempDir();
    const stop = new AbortController();
    const ended = run(project.path, '#!/bin/sh\necho on > on.txt\nsleep 600 &\nsleep 600\n', stop.signal);
    while (!(await readdir(project.path)).includes('on.txt')) await new Promise((done) => setImmediate(done));
    stop.abort();
    expect((await ended).exitCode).toBeNull();
  });
});
