import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '../src/ambient.ts';
import { PathError } from '../src/safe-name.ts';
import { createFolderInside, listInside, readFileInside, statInside, writeFileInside } from '../src/safe-path.ts';

const ambient = systemAmbient('silent');

/** Swaps a file and a folder of the root with links that point outside, as fast as it can. */
const SWAPPER = `
  const { renameSync, symlinkSync, writeFileSync, mkdirSync, rmSync } = require('node:fs');
  const [root, outside] = process.argv.slice(1);
  process.stdout.write('ready');
  const quietly = (act) => { try { act(); } catch {} };
  for (;;) for (const out of [true, false]) {
    quietly(() => out ? symlinkSync(outside + '/target.txt', root + '/t1') : writeFileSync(root + '/t1', 'inside'));
    quietly(() => renameSync(root + '/t1', root + '/file.txt'));
    quietly(() => symlinkSync(out ? outside : 'real', root + '/t2'));
    quietly(() => renameSync(root + '/t2', root + '/folder'));
    quietly(() => rmSync(root + '/swap', { recursive: true }));
    quietly(() => out ? symlinkSync(outside, root + '/swap') : mkdirSync(root + '/swap'));
  }`;

export interface RaceSummary {
  attempts: number;
  refused: number;
  escapes: string[];
}

const ENOUGH = 200;

/**
 * Reads, writes, lists and creates for `durationMs`, or longer on a slow disk, while names change; `escapes` lists
 * what left the root.
 */
export async function raceSummary(base: string, durationMs: number): Promise<RaceSummary> {
  const root = join(base, 'race');
  const outside = join(base, 'outside');
  await mkdir(join(root, 'real'), { recursive: true });
  await mkdir(outside);
  await writeFile(join(root, 'real/target.txt'), 'inside');
  await writeFile(join(outside, 'target.txt'), 'OUTSIDE');
  const swapper = spawn(process.execPath, ['-e', SWAPPER, root, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(swapper.stdout, 'data');
  const summary: RaceSummary = { attempts: 0, refused: 0, escapes: [] };
  const end = ambient.monotonic() + durationMs;
  try {
    const isEnough = (): boolean => ambient.monotonic() >= end && summary.attempts > ENOUGH && summary.refused > 0;
    while (!isEnough() && summary.escapes.length === 0) for (const act of attempts(root)) await attempt(summary, act);
  } finally {
    await killed(swapper);
  }
  if ((await readFile(join(outside, 'target.txt'), 'utf8')) !== 'OUTSIDE') summary.escapes.push('overwritten');
  const left = (await readdir(outside)).filter((name) => name !== 'target.txt');
  if (left.length > 0) summary.escapes.push(`created ${left.join(', ')}`);
  return summary;
}

function attempts(root: string): (() => Promise<string>)[] {
  const write = async (path: string): Promise<string> => {
    await writeFileInside(root, path, { data: 'inside', createFolders: true });
    return '';
  };
  const read = async (path: string): Promise<string> => (await readFileInside(root, path, 1000)).bytes.toString();
  return [
    () => read('file.txt'),
    () => read('folder/target.txt'),
    () => write('file.txt'),
    () => write('folder/target.txt'),
    () => write('swap/made/deep.txt'),
    () => createFolderInside(root, 'folder/made', { recursive: true }).then(() => ''),
    async () => JSON.stringify(await listInside(root, 'folder')),
    async () => (await statInside(root, 'file.txt')).realPath,
    async () => (await statInside(root, 'swap')).realPath,
  ];
}

async function attempt(summary: RaceSummary, act: () => Promise<string>): Promise<void> {
  summary.attempts++;
  try {
    const seen = await act();
    if (/OUTSIDE|outside|\.\./.test(seen)) summary.escapes.push(seen);
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    summary.refused++;
  }
}

async function killed(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}
