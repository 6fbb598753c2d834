import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Io } from '../../io.ts';

/** The text as edited in the user's program; undefined when the program failed, or deleted the file. */
export async function editInExternalEditor(text: string, { env, cwd }: Io): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'fucina-edit-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const editor = env.VISUAL || env.EDITOR || 'vi';
    // The setting is a shell command; the file's name is never part of it.
    const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit', env: { ...env }, cwd });
    const [code] = (await once(child, 'close')) as [number | null];
    return code === 0 ? (await readFile(file, 'utf8')).replace(/\n$/, '') : undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
