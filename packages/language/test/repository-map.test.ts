import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { expect, test } from '@jest/globals';
import { createRepositoryMap } from '../src/index.ts';
import type { WatchedChange } from '../src/servers.ts';

const signal = new AbortController().signal;
const ALL = { below: '', tokens: 1_000 };

async function repository(files: Record<string, string>) {
  const temporary = await tempDir();
  const folder = await realpath(temporary.path);
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) await put(path, text);
  let report: (changes: readonly WatchedChange[]) => void = () => undefined;
  const map = createRepositoryMap({
    ambient: systemAmbient('silent'),
    listFiles: async () => (await readdir(folder, { recursive: true })).filter((path) => path.includes('.')).sort(),
    watch: (_folder, onChange) => {
      report = onChange;
      return () => undefined;
    },
  });
  const outline = (wanted = ALL): Promise<string> => map.outline(folder, wanted, signal);
  return {
    folder,
    map,
    put,
    outline,
    changed: (...changes: WatchedChange[]) => report(changes),
    async [Symbol.asyncDispose]() {
      await map[Symbol.asyncDispose]();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

const USE = "import { Store, openStore } from './store.ts';\nexport const one: Store = openStore();\n";
const STORE = `export interface Store {
  read(id: string): string;
}

/** Opens it. */
export function openStore(path = 'x'): Store {
  const hidden = 1;
  return { read: (id) => id + path + hidden };
}
`;

test('outlines first what the rest of the code uses most', async () => {
  await using repo = await repository({
    'src/a.ts': USE.replace('one', 'first'),
    'src/b.ts': USE.replace('one', 'second'),
    'src/store.ts': STORE,
    'src/unused.ts': 'export function neverCalled(): void {}\n',
  });
  const text = await repo.outline();
  expect(text).toBe(
    [
      'src/store.ts',
      '  1 interface Store',
      '    2 read(id: string): string',
      "  6 function openStore(path = 'x'): Store",
    ].join('\n'),
  );
});

test('reads Python, Go, Rust, Java, JavaScript and TSX', async () => {
  await using repo = await repository({
    'a.py': 'class Shape:\n    def area(self) -> int:\n        return 1\n',
    'b.go': 'package b\n\ntype Circle struct{}\n\nfunc (c Circle) Area() int { return 1 }\n',
    'c.rs': 'pub struct Square;\nimpl Square {\n    pub fn side(&self) -> u8 { 1 }\n}\n',
    'D.java': 'class Triangle {\n  int base() { return 1; }\n}\n',
    'e.js': 'export class Line {\n  length() { return 1; }\n}\n',
    'f.tsx': 'export function Picture() { return <b>1</b>; }\n',
    'uses.py': 'Shape Circle Square Triangle Line Picture\n',
  });
  const text = await repo.outline();
  for (const line of [
    '  1 class Shape',
    '    2 def area(self) -> int',
    '  5 func (c Circle) Area() int',
    '  2 impl Square',
    '    3 pub fn side(&self) -> u8',
    '    2 int base()',
    '    2 length()',
    '  1 function Picture()',
  ]) {
    expect(text.split('\n')).toContain(line);
  }
});

test('stays within its tokens, and below a folder', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [`src/f${at}.ts`, `export function name${at}(): void {}\n`]),
  );
  const uses = Array.from({ length: 40 }, (_, at) => `name${at}();`).join('\n');
  await using repo = await repository({
    ...files,
    'src/uses.ts': uses,
    'lib/l.ts': 'export class Lib {}\nLib',
    'lib/m.ts': 'Lib',
  });
  const short = await repo.outline({ below: '', tokens: 100 });
  expect(short.length).toBeLessThanOrEqual(350);
  expect(short.length).toBeGreaterThan(200);
  expect(await repo.outline({ below: 'lib', tokens: 1_000 })).toBe('lib/l.ts\n  1 class Lib');
  expect(await repo.outline({ below: 'absent', tokens: 1_000 })).toBe('');
});

test('finds declarations by a part of their name, exact and much used ones first, tests last', async () => {
  await using repo = await repository({
    'src/store.ts': STORE,
    'src/a.ts': USE,
    'src/other.ts': '\nexport function openStoreAgain(): void {}\nexport class Restore {}\n',
    'test/store.test.ts': 'function openStore() {}\n',
  });
  const find = (query: string, limit = 10) => repo.map.symbols(repo.folder, { query, limit }, signal);
  expect(await find('openstore')).toEqual([
    { name: 'openStore', path: 'src/store.ts', line: 6 },
    { name: 'openStore', path: 'test/store.test.ts', line: 1 },
    { name: 'openStoreAgain', path: 'src/other.ts', line: 2 },
  ]);
  expect((await find('STORE', 2)).map(({ name }) => name)).toEqual(['Store', 'openStore']);
  expect((await find('store')).map(({ name }) => name)).toContain('Restore');
  expect(await find('nothing of this name')).toEqual([]);
  await repo.put('src/other.ts', 'export class Depot {}\n');
  repo.changed({ path: 'src/other.ts', kind: 'file' });
  expect(await find('restore')).toEqual([]);
  expect(await find('depot')).toEqual([{ name: 'Depot', path: 'src/other.ts', line: 1 }]);
});

test('follows changed, new and deleted files', async () => {
  await using repo = await repository({ 'a.ts': 'export class Alpha {}\n', 'b.ts': 'new Alpha();\n' });
  expect(await repo.outline()).toBe('a.ts\n  1 class Alpha');
  await repo.put('a.ts', '\nexport class Alpha {}\nexport class Beta {}\n');
  repo.changed({ path: 'a.ts', kind: 'file' });
  expect(await repo.outline()).toBe('a.ts\n  2 class Alpha\n  3 class Beta');
  await repo.put('new/c.ts', 'export class Gamma {}\n');
  await repo.put('b.ts', 'new Gamma();\n');
  repo.changed({ path: 'new', kind: 'folder' }, { path: 'b.ts', kind: 'file' });
  expect(await repo.outline()).toBe('new/c.ts\n  1 class Gamma');
  await rm(join(repo.folder, 'new'), { recursive: true });
  repo.changed({ path: 'new', kind: 'gone' });
  expect(await repo.outline()).toBe('');
});

test('does not follow links out of the repository', async () => {
  await using outside = await tempDir();
  await writeFile(join(outside.path, 'secret.ts'), 'export class Secret {}\nSecret\n');
  await using repo = await repository({ 'a.ts': 'Secret\n', 'b.ts': 'Secret\n' });
  await symlink(join(outside.path, 'secret.ts'), join(repo.folder, 'link.ts'));
  await symlink(outside.path, join(repo.folder, 'folder'));
  await mkdir(join(repo.folder, 'own'));
  expect(await repo.outline()).toBe('');
});

test('a question that is asked while another one reads, or aborts, waits for the files', async () => {
  await using repo = await repository({ 'store.ts': STORE });
  const first = new AbortController();
  const wanted = { query: 'open', limit: 5 };
  const aborted = repo.map.symbols(repo.folder, wanted, first.signal);
  const answers = [repo.map.symbols(repo.folder, wanted, signal), repo.map.symbols(repo.folder, wanted, signal)];
  first.abort(new Error('asked again'));
  await expect(aborted).rejects.toThrow('asked again');
  for (const answer of answers) expect((await answer).map(({ name }) => name)).toEqual(['openStore']);
});
