import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { loadProgram, recordProgram } from './program-loader.ts';

/** Prints values from itself, from its other file and from outside. */
const PROGRAM = 'exports.found=[require("./part.js").answer(),require("node:path").sep,__filename];';

async function builtProgram() {
  const path = await mkdtemp(join(tmpdir(), 'fucina-'));
  const write = (name: string, text: string) => writeFile(join(path, name), text);
  await write('program.js', PROGRAM);
  await write('part.js', 'exports.answer=()=>41;');
  return {
    path,
    write,
    code: join(path, 'compiled-code.bin'),
    run() {
      const loaded = loadProgram(path);
      const { found } = { found: undefined, ...loaded.get('program.js')?.exports };
      return {
        found,
        restored: [...loaded.values()].filter(({ script }) => !(script.cachedDataRejected ?? true)).length,
      };
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}

describe('a built program', () => {
  test('runs without stored code', async () => {
    await using program = await builtProgram();
    expect(program.run()).toEqual({ found: [41, sep, join(program.path, 'program.js')], restored: 0 });
  });

  test('reads back the stored code of each of its files', async () => {
    await using program = await builtProgram();
    recordProgram(program.path)();
    expect(program.run()).toMatchObject({ found: expect.arrayContaining([41]), restored: 2 });
  });

  test('keeps the stored code of files that a later run does not read', async () => {
    await using program = await builtProgram();
    recordProgram(program.path)();
    await program.write('program.js', 'exports.found=1;');
    recordProgram(program.path)();
    await program.write('program.js', PROGRAM);
    expect(program.run()).toMatchObject({ found: expect.arrayContaining([41]), restored: 1 });
  });

  test('compiles a file that changed since its code was stored, even one of the same length', async () => {
    await using program = await builtProgram();
    recordProgram(program.path)();
    await program.write('part.js', 'exports.answer=()=>42;');
    expect(program.run()).toMatchObject({ found: expect.arrayContaining([42]), restored: 1 });
  });

  test('compiles a file whose stored code is damaged', async () => {
    await using program = await builtProgram();
    recordProgram(program.path)();
    const code = await readFile(program.code);
    await writeFile(program.code, code.fill(7, code.length - 10));
    expect(program.run()).toMatchObject({ found: expect.arrayContaining([41]), restored: 1 });
  });

  test.each([
    ['cut off', (code: Buffer) => code.subarray(0, 20)],
    ['empty', () => Buffer.alloc(0)],
    [
      'of another version of Node',
      (code: Buffer) => Buffer.from(code.toString('latin1').replace('"v', '"w'), 'latin1'),
    ],
  ])('compiles everything when the stored code is %s', async (_how, change) => {
    await using program = await builtProgram();
    recordProgram(program.path)();
    await writeFile(program.code, change(await readFile(program.code)));
    expect(program.run()).toMatchObject({ found: expect.arrayContaining([41]), restored: 0 });
  });
});
