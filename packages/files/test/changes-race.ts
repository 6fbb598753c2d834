import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { AppError, entriesBelow, systemAmbient } from '@fucina/shared';
import { createFileChanges } from '../src/changes.ts';
import { createPages } from '../src/pages.ts';
import { createTree } from '../src/tree.ts';

const ambient = systemAmbient('silent');

/** Swaps files and folders of the root with links that point outside, as fast as it can. */
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
    quietly(() => rmSync(root + '/tree/sub', { recursive: true }));
    quietly(() => {
      if (out) return symlinkSync(outside, root + '/tree/sub');
      mkdirSync(root + '/tree/sub');
      writeFileSync(root + '/tree/sub/target.txt', 'inside');
    });
  }`;

const KEPT = ['target.txt', 'page.html'];

export interface ChangesRace {
  attempts: number;
  done: number;
  refused: number;
  escapes: string[];
}

const ENOUGH = 50;

/**
 * Renames, moves, copies, deletes and serves for `durationMs` while names change; `escapes` lists what left the root.
 */
export async function changesRace(base: string, durationMs: number): Promise<ChangesRace> {
  const [root, outside, bin] = [join(base, 'race'), join(base, 'outside'), join(base, 'home/.local/share/Trash')];
  for (const folder of [join(root, 'real'), join(root, 'tree'), outside, bin]) await mkdir(folder, { recursive: true });
  for (const name of KEPT) await writeFile(join(outside, name), 'OUTSIDE');
  const swapper = spawn(process.execPath, ['-e', SWAPPER, root, outside], { stdio: ['ignore', 'pipe', 'inherit'] });
  const race: ChangesRace = { attempts: 0, done: 0, refused: 0, escapes: [] };
  const acts = actsIn(root, base);
  await once(swapper.stdout, 'data');
  const end = ambient.monotonic() + durationMs;
  try {
    // On a slow disk, as long as it takes until something has happened.
    const isEnough = (): boolean => ambient.monotonic() >= end && race.done > ENOUGH && race.refused > 0;
    while (!isEnough() && race.escapes.length === 0) {
      for (const name of KEPT) await writeFile(join(root, 'real', name), 'inside');
      for (const act of acts) await attempt(race, act);
      race.escapes.push(...(await leaks(root)), ...(await leaks(bin)));
      if ((await readdir(outside)).sort().join() !== [...KEPT].sort().join())
        race.escapes.push('names outside changed');
      await tidy(root, bin);
    }
  } finally {
    const gone = once(swapper, 'exit');
    swapper.kill('SIGKILL');
    await gone;
  }
  for (const name of KEPT) {
    if ((await readFile(join(outside, name), 'utf8')) !== 'OUTSIDE') race.escapes.push(`${name} outside changed`);
  }
  return race;
}

function actsIn(root: string, base: string): (() => Promise<string>)[] {
  const tree = createTree(ambient);
  const pages = createPages({ ambient, tree });
  const binned = createFileChanges({ ambient, homeDir: join(base, 'home') });
  const changes = createFileChanges({ ambient, homeDir: join(base, 'no-home') });
  let count = 0;
  const fresh = () => `n${(count += 1)}.txt`;
  return [
    () => changes.rename(root, 'folder/target.txt', fresh()),
    () => changes.rename(root, 'file.txt', fresh()),
    () => changes.copy(root, 'folder/page.html'),
    () => changes.copy(root, 'file.txt'),
    () => changes.copy(root, 'tree'),
    () => changes.move(root, 'folder/page.html', 'tree'),
    () => changes.move(root, 'file.txt', 'folder'),
    () => changes.create(root, { parent: 'folder', name: fresh(), kind: 'file' }),
    () => changes.create(root, { parent: 'tree/sub', name: fresh(), kind: 'folder' }),
    async () => String((await changes.remove(root, 'folder/target.txt')).isInBin),
    async () => String((await changes.remove(root, 'tree/sub')).isInBin),
    async () => String((await binned.remove(root, 'folder/page.html')).isInBin),
    async () => text((await tree.download(root, 'file.txt')).content),
    async () => JSON.stringify(await tree.list(root, 'folder')),
    async () => {
      const { pass } = await pages.open('session', { folder: root, path: 'folder/page.html' });
      return text((await pages.read(pass, 'target.txt')).content);
    },
  ];
}

async function attempt(race: ChangesRace, act: () => Promise<string>): Promise<void> {
  race.attempts += 1;
  try {
    const answer = await act();
    race.done += 1;
    if (/OUTSIDE|outside|\.\./.test(answer)) race.escapes.push(answer);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    race.refused += 1;
  }
}

/** Files below a folder whose content lies outside. */
async function leaks(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await entriesBelow(folder).catch(goneMeanwhile)) {
    const path = join(entry.parentPath, entry.name);
    // The swapper may insert a link to a folder between the list and the read.
    if (path.includes('/tree/sub')) continue;
    if ((await ownText(path)).includes('OUTSIDE')) found.push(path);
  }
  return found;
}

/** The text of a regular file; empty for anything else: the swapper may put a link in its place at any moment. */
async function ownText(path: string): Promise<string> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    return (await file.stat()).isFile() ? await file.readFile('utf8') : '';
  } catch {
    return '';
  }
}

function goneMeanwhile(error: NodeJS.ErrnoException): [] {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
  return [];
}

/** Removes what was created, so that every round starts alike. */
async function tidy(root: string, bin: string): Promise<void> {
  const own = new Set(['real', 'tree', 'folder', 'file.txt', 't1', 't2']);
  for (const name of await readdir(root))
    if (!own.has(name)) await rm(join(root, name), { recursive: true, force: true });
  for (const name of await readdir(join(root, 'real')))
    await rm(join(root, 'real', name), { recursive: true, force: true });
  for (const name of await readdir(join(root, 'tree'))) {
    if (name !== 'sub') await rm(join(root, 'tree', name), { recursive: true, force: true });
  }
  await rm(join(bin, 'files'), { recursive: true, force: true });
  await rm(join(bin, 'info'), { recursive: true, force: true });
}
