import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { OPEN_TO_ALL, tempDir } from '@fucina/testkit';
import { expect } from '@jest/globals';
import { computer, until } from './computer.ts';
import { onDisplay, openDisplay } from './display.ts';
import { commandModel, firstAnswer, pathWithoutNode } from './first-answer.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
/** An ordinary user: another one, when the tests run as root. */
const NOBODY = 65_534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined;

onDisplay(
  'the archive for Linux opens for an ordinary user who unpacked it, without Node, up to a first answer',
  async () => {
    await using place = await tempDir('fucina-', OPEN_TO_ALL);
    const args = [join(ROOT, 'scripts/pack-deb.mjs'), '--no-deb', '--archive', place.path];
    const archive = execFileSync('node', args, { encoding: 'utf8' }).trim().split('\n').at(-1) ?? '';
    expect(basename(archive)).toMatch(/^fucina-[\d.]+-linux-\w+\.tar\.gz$/);
    chmodSync(place.path, 0o755);
    const home = join(place.path, 'home');
    for (const folder of [home, join(home, 'project'), join(home, 'apps')]) {
      mkdirSync(folder);
      if (user) chownSync(folder, user.uid, user.gid);
    }
    execFileSync('tar', ['-xzf', archive, '-C', join(home, 'apps')], { ...user });
    const program = join(home, 'apps', basename(archive, '.tar.gz'), 'bin/fucina');

    await using display = await openDisplay();
    await using model = await commandModel();
    const path = pathWithoutNode(place.path);
    const here = computer({ home, display: display.name, path, command: [program], ...(user && { user }) });
    const app = here.fucina('app', '--foreground');
    await until(() => display.windowId());
    const { text } = await firstAnswer(here, { model, project: join(home, 'project') });
    expect(text).toContain('from 42');
    display.shot('linux-archive');
    app.kill('SIGTERM');
    expect(await once(app, 'exit')).toEqual([0, null]);
  },
  // Assembles a package, which blocks this process.
  240_000,
);
