import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Script } from '@fucina/testkit';
import { expect } from '@jest/globals';
import { MAIN } from './binary.ts';
import { type TestComputer, testComputer, withoutTitles } from './harness.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const FRAMES = join(import.meta.dirname, 'frames');

/**
 * Compares the screen with an approved recording. `UPDATE_FRAMES=1` records it again: check the diff before committing
 * it.
 */
export function expectFrame(name: string, frame: string): void {
  const file = join(FRAMES, `${name}.txt`);
  if (process.env.UPDATE_FRAMES || !existsSync(file)) {
    expect({ isNewFrameInCi: Boolean(process.env.CI) && !existsSync(file) }).toEqual({ isNewFrameInCi: false });
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, frame);
  }
  expect(frame).toBe(readFileSync(file, 'utf8'));
}

/** Undefined when there is no recording, or it is being updated. */
function knownFrame(name: string): string | undefined {
  const file = join(FRAMES, `${name}.txt`);
  return process.env.UPDATE_FRAMES || !existsSync(file) ? undefined : readFileSync(file, 'utf8');
}

/** The duration of a file operation is shown only when it was slow, as on a loaded machine. */
const FILE_TIME = /(?<=[✓✗] (?:Read .*|(?:Edited|Wrote) .* [+]\d+ -\d+)) {3}0 s$/;

/** Without what varies between runs: ids, times, and their padding. */
export function steady(frame: string): string {
  return frame
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '00000000-0000-4000-8000-000000000000')
    .replace(/(?<=\/fucina-)\w{1,6}/g, (part) => 'x'.repeat(part.length))
    .split('\n')
    .map((line) => {
      const timed = line.replace(/(?<![\d.,])\d+([.,]\d+)? ?(ms|s)\b/g, '0 s');
      return timed === line && !/0 s\b/.test(line)
        ? line.trimEnd()
        : timed.replace(/ {3,}/g, '   ').replace(FILE_TIME, '').trimEnd();
    })
    .join('\n');
}

export interface Scene extends AsyncDisposable {
  terminal: Terminal;
  /** Waits until the screen shows the text and is stable, then compares. */
  frame(name: string, text: string): Promise<void>;
  /** The same with its colors. */
  paintedFrame(name: string, text: string): Promise<void>;
}

export interface SceneOptions {
  script: Script;
  size?: readonly [width: number, height: number];
  args?: string;
  env?: Record<string, string>;
  files?: Record<string, string>;
  /** Files of the folder before the program starts. */
  prepare?(computer: TestComputer, folder: string): Promise<void>;
}

/** A card accepts no key before this, and shows that it does. */
const STILL_MS = 400;
/** For what hangs, not for what is slow. */
const PATIENCE_MS = 60_000;

/** The program in a folder with a constant name, without animation. */
export async function scene({
  script,
  size = [80, 24],
  args = '-m ollama:tiny',
  env = {},
  files = {},
  prepare,
}: SceneOptions): Promise<Scene> {
  // Its path is on the screen, so it always has the same length.
  const computer: TestComputer = await testComputer(script, undefined, '/tmp');
  const home = computer.env.HOME ?? '';
  const cwd = join(home, 'sample');
  await mkdir(cwd, { recursive: true });
  for (const [name, text] of Object.entries({ 'README.md': '# Sample\n', ...files }))
    await writeFile(join(cwd, name), text);
  await prepare?.(computer, cwd);
  await withoutTitles(computer);
  const [width, height] = size;
  const own = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const terminal = await openTerminal(`env ${own.join(' ')} '${process.execPath}' '${MAIN}' ${args}`, {
    env: { ...computer.env, FUCINA_REDUCED_MOTION: '1' },
    cwd,
    width,
    height,
  });
  // Before the screen has taken over the terminal, keys have the terminal's own meaning.
  await terminal.shows('~/sample');
  const compare = async (name: string, text: string, read: () => Promise<string>): Promise<void> => {
    await terminal.shows(text);
    const known = knownFrame(name);
    const deadline = performance.now() + PATIENCE_MS;
    let last = await read();
    for (;;) {
      await pause(STILL_MS);
      const now = await read();
      const frame = steady(now.replaceAll('\u001b', '␛'));
      const isStill = now === last;
      last = now;
      // On a busy computer a stable screen may still be incomplete.
      if (!isStill || (known !== undefined && frame !== known && performance.now() < deadline)) continue;
      return expectFrame(name, frame);
    }
  };
  return {
    terminal,
    frame: (name, text) => compare(name, text, terminal.screen),
    paintedFrame: (name, text) => compare(name, text, terminal.painted),
    async [Symbol.asyncDispose]() {
      await terminal[Symbol.asyncDispose]();
      await computer[Symbol.asyncDispose]();
    },
  };
}
