import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemAmbient } from '@fucina/shared';
import { tempDir, tempRepo } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import iconv from 'iconv-lite';
import * as z from 'zod';
import { contextOf, run, toolNamed, tools } from '../test/run-tool.ts';
import { createSearchTool } from './search-tool.ts';

test('every tool has its documented name, arguments and gate, and a short description', () => {
  const facts = tools.map((tool) => {
    const schema = z.toJSONSchema(tool.input) as { properties?: object; required?: string[] };
    return [tool.name, Object.keys(schema.properties ?? {}), schema.required ?? [], tool.effect, tool.gate];
  });
  expect(facts).toEqual([
    ['elenca', ['percorso'], [], 'read', null],
    ['cerca', ['testo', 'nome', 'percorso', 'regex'], [], 'read', null],
    ['leggi', ['percorso', 'da', 'righe', 'pagina'], ['percorso'], 'read', null],
    ['scrivi', ['percorso', 'contenuto'], ['percorso', 'contenuto'], 'write', 'scrivi'],
    [
      'file_edit',
      ['percorso', 'vecchio', 'nuovo', 'tutte', 'altre'],
      ['percorso', 'vecchio', 'nuovo'],
      'write',
      'file_edit',
    ],
    ['apply_patch', ['input'], ['input'], 'write', 'file_edit'],
    [
      'document_create',
      ['format', 'title', 'body', 'rows', 'slides', 'report'],
      ['format', 'title'],
      'write',
      'document_create',
    ],
    ['prova', [], [], 'process', 'prova'],
    ['shell', ['comando', 'descrizione', 'secondi', 'sfondo'], ['comando'], 'process', 'shell'],
    ['processi', ['azione', 'id', 'flusso', 'da', 'righe', 'testo'], ['azione'], 'control', null],
  ]);
  // No dialect shows it beside file_edit.
  const shown = tools.filter(({ name }) => name !== 'apply_patch');
  const specs = shown.map(({ name, description, input }) => ({ name, description, input: z.toJSONSchema(input) }));
  expect(JSON.stringify(specs).length).toBeLessThan(9000);
});

describe('the approval card', () => {
  const place = { folder: '/home/me/project', testCommand: 'npm test' };
  const action = (name: string, input: unknown): unknown => toolNamed(name).action(input, place);

  test('shows exactly what will happen with relative paths', () => {
    expect(action('scrivi', { percorso: './src//a.ts', contenuto: 'x' })).toEqual({
      tipo: 'scrivi',
      percorso: 'src/a.ts',
      contenuto: 'x',
    });
    expect(action('file_edit', { percorso: '/home/me/project/a', vecchio: 'x', nuovo: 'y', tutte: true })).toEqual({
      tipo: 'file_edit',
      percorso: 'a',
      vecchio: 'x',
      nuovo: 'y',
      tutte: true,
    });
    expect(action('shell', { comando: 'ls; rm -rf x', descrizione: 'list', secondi: 300 })).toEqual({
      tipo: 'shell',
      comando: 'ls; rm -rf x',
      descrizione: 'list',
      secondi: 300,
    });
    expect(action('prova', {})).toEqual({ tipo: 'prova', comando: 'npm test' });
    expect(action('leggi', { percorso: 'a', da: 3 })).toEqual({ tipo: 'leggi', percorso: 'a', da: 3 });
    expect(action('elenca', {})).toEqual({ tipo: 'elenca' });
    expect(action('elenca', { percorso: './src/' })).toMatchObject({
      tipo: 'elenca',
      percorso: expect.stringMatching(/^src/),
    });
    expect(action('cerca', { testo: 'x', percorso: 'src/' })).toEqual({ tipo: 'cerca', testo: 'x', percorso: 'src' });
  });

  test('shows a path that leads outside unchanged', () => {
    expect(action('scrivi', { percorso: '../x/./y', contenuto: '' })).toMatchObject({ percorso: '../x/y' });
    expect(action('scrivi', { percorso: '/etc/passwd', contenuto: '' })).toMatchObject({ percorso: '/etc/passwd' });
    expect(action('scrivi', { percorso: 'a\0b', contenuto: '' })).toMatchObject({ percorso: 'a\0b' });
  });
});

describe('elenca', () => {
  test('lists a folder in the session folder, and no other one', async () => {
    await using dir = await tempDir();
    await dir.write({ 'src/deep/a.ts': '', 'src/b.ts': '', 'other/c.ts': '' });
    const list = async (percorso: string) => run('elenca', { percorso }, contextOf(dir.path));
    expect((await list('src')).content).toBe('2 files in 1 top folder\ndeep/ (1 file)\n  a.ts\nb.ts');
    expect((await list('.')).content).toContain('other/ (1 file)');
    expect(await list('..')).toMatchObject({ isError: true, content: expect.stringContaining('outside') });
    expect(await list('SRC')).toMatchObject({ isError: true, content: expect.stringContaining('src') });
  });

  test('lists two levels, folders first, and names ignored ones separately', async () => {
    await using repo = await tempRepo({
      'README.md': '#',
      '.gitignore': 'dist\n*.log\n',
      'src/index.ts': '',
      'src/api/a.ts': '',
      'src/api/deep/b.ts': '',
      '.github/workflows/ci.yml': '',
    });
    await repo.write({ 'dist/out.js': '', 'debug.log': '', 'new.txt': '' });
    await mkdir(join(repo.path, 'empty'));
    await symlink('/etc', join(repo.path, 'outside'));
    const { content } = await run('elenca', {}, contextOf(repo.path));
    expect(content.split('\n')).toEqual([
      '7 files in 2 top folders',
      '.github/ (1 file)',
      '  workflows/ (1 file)',
      'src/ (3 files)',
      '  api/ (2 files)',
      '  index.ts',
      '.gitignore',
      'README.md',
      'new.txt',
      'outside (link)',
      'Not listed (ignored or empty): debug.log, dist/, empty/',
    ]);
  });

  test('stays within 12,000 bytes and reports omissions', async () => {
    await using dir = await tempDir();
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, index) => [`folder-${index % 30}/file-${index}.txt`, '']),
    );
    await dir.write(files);
    const { content } = await run('elenca', {}, contextOf(dir.path));
    expect(content.length).toBeLessThanOrEqual(12_000);
    expect(content).toContain('600 files in 30 top folders');
    const small = await run('elenca', {}, contextOf(dir.path, { windowTokens: 10_000 }));
    expect(small.content.length).toBeLessThanOrEqual(3750);
    expect(small.content).toMatch(/… \d+ more/);
    const many = Object.fromEntries(
      Array.from({ length: 800 }, (_, index) => [`some-long-file-name-${index}.txt`, '']),
    );
    await dir.write(many);
    const long = (await run('elenca', {}, contextOf(dir.path))).content;
    expect(long.length).toBeLessThanOrEqual(12_000);
    expect(long).toMatch(/more entries cut/);
  });

  test('reports an empty or missing folder', async () => {
    await using dir = await tempDir();
    expect((await run('elenca', {}, contextOf(dir.path))).content).toBe('0 files in 0 top folders');
    expect(await run('elenca', {}, contextOf(join(dir.path, 'gone')))).toMatchObject({ isError: true });
  });
});

describe('cerca', () => {
  const files = {
    '.gitignore': 'dist\n',
    'src/alpha.ts': 'const Alpha = 1;\nfoo(bar)\n',
    'src/beta.test.ts': 'alpha(2)\n',
    'docs/Alpha Guide.md': 'nothing\n',
    'dist/alpha.js': 'alpha\n',
  };

  test('finds text with line numbers and skips ignored files', async () => {
    await using dir = await tempDir();
    await dir.write(files);
    const { content, isError } = await run('cerca', { testo: 'alpha' }, contextOf(dir.path));
    expect(isError).toBeUndefined();
    expect(content).toBe('2 matches in 2 files:\nsrc/alpha.ts\n  1: const Alpha = 1;\nsrc/beta.test.ts\n  1: alpha(2)');
    expect((await run('cerca', { testo: 'Alpha' }, contextOf(dir.path))).content).toContain('1 match in 1 file');
    expect((await run('cerca', { testo: 'foo(bar)' }, contextOf(dir.path))).content).toContain('  2: foo(bar)');
    expect((await run('cerca', { testo: '-e' }, contextOf(dir.path))).content).toContain('No match');
    expect((await run('cerca', { testo: 'Alpha = 1;\nfoo' }, contextOf(dir.path))).content).toContain('src/alpha.ts');
  });

  test('finds names by part or pattern, and text only in matching files', async () => {
    await using dir = await tempDir();
    await dir.write(files);
    const names = async (input: object): Promise<string> => (await run('cerca', input, contextOf(dir.path))).content;
    expect(await names({ nome: 'ALPHA' })).toBe('2 files:\ndocs/Alpha Guide.md\nsrc/alpha.ts');
    expect(await names({ nome: '*.ts' })).toBe('2 files:\nsrc/alpha.ts\nsrc/beta.test.ts');
    expect(await names({ nome: 'src/**/*.{test,spec}.ts' })).toBe('1 file:\nsrc/beta.test.ts');
    expect(await names({ nome: '!x' })).toContain('No file');
    expect(await names({ testo: 'alpha', nome: '*.test.ts' })).toContain('1 match in 1 file');
    expect(await names({ testo: 'alpha', percorso: 'src/alpha.ts' })).toBe(
      '1 match in 1 file:\nsrc/alpha.ts\n  1: const Alpha = 1;',
    );
    expect(await names({ nome: 'alpha', percorso: 'docs' })).toBe('1 file:\ndocs/Alpha Guide.md');
    expect(await names({ testo: 'al(p)h.\\(', regex: true })).toContain('src/beta.test.ts');
  });

  test('truncates a long result and still counts every match', async () => {
    await using dir = await tempDir();
    await dir.write({ 'big.txt': 'needle in a line\n'.repeat(5000), 'wide.txt': `needle${'x'.repeat(100_000)}` });
    const { content } = await run('cerca', { testo: 'needle' }, contextOf(dir.path));
    expect(content).toMatch(/^5001 matches in 2 files, the first 200 are shown:\nbig\.txt\n {2}1: needle/);
    expect(content).toContain('\n  200: needle in a line\n[4801 more in: big.txt (4800), wide.txt (1). To see them');
    const small = await run('cerca', { testo: 'needle' }, contextOf(dir.path, { windowTokens: 10_000 }));
    expect(small.content).toMatch(/^5001 matches in 2 files, the first \d\d are shown/);
    expect(small.content.length).toBeLessThanOrEqual(3750);
  });

  test('leaves out the content of files that a rule guards, and says so', async () => {
    await using dir = await tempDir();
    await dir.write({ '.env': 'KEY=needle\n', 'src/a.ts': 'needle\n', 'src/.env': 'needle\n' });
    const search = createSearchTool({
      ambient: systemAmbient('silent'),
      environment: process.env,
      guardsReading: async (folder) => (path) => [join(folder, '.env'), join(folder, 'src/.env')].includes(path),
    });
    const find = async (input: object): Promise<string> =>
      (await search.run(search.input.parse(input), contextOf(dir.path))).content;
    expect(await find({ testo: 'needle' })).toBe(
      '1 match in 1 file:\nsrc/a.ts\n  1: needle\nFiles that a permission rule guards are not searched.',
    );
    // What a guarded file contains makes no difference.
    expect(await find({ testo: 'KEY' })).toBe(await find({ testo: 'in no file' }));
    expect(await find({ testo: 'needle', percorso: 'src' })).toContain('1 match in 1 file');
    await symlink('.', join(dir.path, 'again'));
    expect(await find({ testo: 'needle', percorso: 'again' })).toContain('1 match in 1 file:\nagain/src/a.ts');
    expect(await find({ nome: '.env' })).toContain('src/.env');
    // A call that names the file was judged by the rule itself.
    expect(await find({ testo: 'needle', percorso: '.env' })).toContain('KEY=needle');
  });

  test('rejects an invalid search', async () => {
    await using dir = await tempDir();
    await dir.write(files);
    await symlink('/etc', join(dir.path, 'out'));
    const refusal = async (input: object): Promise<string> => {
      const { content, isError } = await run('cerca', input, contextOf(dir.path));
      expect(isError).toBe(true);
      return content;
    };
    expect(await refusal({})).toContain('what to search for');
    expect(await refusal({ testo: '(', regex: true })).toContain('not valid');
    expect(await refusal({ testo: 'root', percorso: 'out' })).toContain('outside');
    expect(await refusal({ testo: 'root', percorso: '../..' })).toContain('outside');
    expect(await refusal({ testo: 'root', percorso: 'none' })).toContain('does not exist');
  });

  test('follows no links and reads no configuration from the folder', async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    await other.write({ 'secret.txt': 'needle' });
    await dir.write({ '.ripgreprc': '--follow\n', 'a.txt': 'nothing' });
    await symlink(other.path, join(dir.path, 'link'));
    await symlink(join(other.path, 'secret.txt'), join(dir.path, 'file-link'));
    expect((await run('cerca', { testo: 'needle' }, contextOf(dir.path))).content).toContain('No match');
  });
});

describe('leggi', () => {
  test('numbers the lines and remembers the version read', async () => {
    await using dir = await tempDir();
    await dir.write({ 'a.txt': 'one\ntwo\n' });
    const context = contextOf(dir.path);
    expect((await run('leggi', { percorso: 'a.txt' }, context)).content).toBe('    1\tone\n    2\ttwo');
    expect((await run('leggi', { percorso: join(dir.path, 'a.txt') }, context)).content).toContain('two');
    expect([...context.seen.keys()]).toEqual(['a.txt']);
    expect(context.seen.get('a.txt')).toMatch(/^[0-9a-f]{64}$/);
  });

  test('shows 2,000 lines or 50 kB of a long file from the start, and names the next line', async () => {
    await using dir = await tempDir();
    const lines = (count: number, width: number) =>
      Array.from({ length: count }, (_, index) => `line number ${index + 1}`.padEnd(width)).join('\n');
    await dir.write({ 'f.ts': lines(1200, 24), 'long.txt': lines(2001, 10), 'wide.txt': lines(2001, 90) });
    const read = async (input: object, windowTokens?: number) =>
      (await run('leggi', input, contextOf(dir.path, { windowTokens }))).content;
    expect((await read({ percorso: 'f.ts' })).split('\n').at(-1)).toMatch(/^ 1200\tline number 1200/);
    const long = await read({ percorso: 'long.txt' });
    expect(long).toMatch(/\n 2000\tline number 2000\n\[lines 1-2000 of 2001; continue with da=2001\]$/);
    expect(await read({ percorso: 'long.txt', da: 2001 })).toBe(' 2001\tline number 2001');
    const wide = await read({ percorso: 'wide.txt' });
    expect(Buffer.byteLength(wide)).toBeLessThanOrEqual(50_000);
    const next = Number(/\[lines 1-(\d+) of 2001; continue with da=\d+\]$/.exec(wide)?.[1]) + 1;
    expect(await read({ percorso: 'wide.txt', da: next })).toMatch(new RegExp(`^ *${next}\tline number ${next} `));
    const small = await read({ percorso: 'wide.txt' }, 10_000);
    expect([Buffer.byteLength(small) <= 3750, small]).toEqual([true, expect.stringContaining('continue with da=')]);
    const window = await read({ percorso: 'long.txt', da: 5, righe: 2 });
    expect(window).toBe('    5\tline number 5\n    6\tline number 6\n[lines 5-6 of 2001; next: da=7]');
    expect(await read({ percorso: 'long.txt', da: 2002 })).toContain('has 2001 lines');
  });

  test('asks whether another path was meant when one cannot be used', async () => {
    await using dir = await tempDir();
    await dir.write({
      'src/Foo.ts': '1',
      'src/api/users.ts': '1',
      'docs/guide.md': '1',
      'ignored/x.ts': '1',
      '.gitignore': 'ignored',
    });
    const context = contextOf(dir.path);
    const asked = async (percorso: string) => {
      const { content, isError } = await run('leggi', { percorso }, context);
      expect([percorso, isError]).toEqual([percorso, true]);
      return content;
    };
    for (const [path, meant] of [
      ['src/foo.ts', 'src/Foo.ts?'],
      ['users.ts', 'src/api/users.ts?'],
      ['lib/users.ts', 'src/api/users.ts?'],
      ['/workspace/src/api/users.ts', 'src/api/users.ts?'],
      ['src\\api\\users.ts', 'src/api/users.ts?'],
      ['"src/Foo.ts"', 'src/Foo.ts?'],
      ['src/Foo.ts:12', 'src/Foo.ts with da=12?'],
      ['src/Foo.ts:12:3', 'src/Foo.ts with da=12?'],
      ['src/Foo.js', 'src/Foo.ts?'],
      ['src/api/usrs.ts', 'src/api/users.ts?'],
      ['SRC/API', 'src/api?'],
    ] as const)
      expect([path, await asked(path)]).toEqual([
        path,
        expect.stringMatching(new RegExp(`Did you mean ${meant.replace('?', '\\?')}$`)),
      ]);
    for (const path of ['ignored/y.ts', 'nothing-like-it.rs'])
      expect(await asked(path)).toBe(`"${path}" does not exist. Search for its name.`);
    for (const path of ['./src/Foo.ts', join(dir.path, 'src/Foo.ts'), pathToFileURL(join(dir.path, 'src/Foo.ts')).href])
      expect((await run('leggi', { percorso: path }, context)).content).toBe('    1\t1');
    const edit = await run('file_edit', { percorso: 'foo.ts', vecchio: '1', nuovo: '2' }, context);
    expect(edit.content).toBe('foo.ts does not exist. Did you mean src/Foo.ts?');
    expect((await run('cerca', { testo: '1', percorso: 'Docs' }, context)).content).toContain('Did you mean docs?');
  });

  test('handles encodings, line endings, huge lines and control characters', async () => {
    await using dir = await tempDir();
    await dir.write({
      'latin.txt': iconv.encode('Perché così è più bello, città e virtù.\n', 'latin1'),
      'crlf.txt': 'a\r\nb\r\n',
      'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ciao è\n', 'utf16le')]),
      'bare16.txt': Buffer.from('a long enough plain text\n', 'utf16le'),
      'min.js': 'x'.repeat(500_000),
      'bom.txt': '\ufeffhello',
      'escape.txt': 'a\u001b]0;title\u0007b\u0085c',
      'empty.txt': '',
    });
    const read = async (percorso: string): Promise<string> =>
      (await run('leggi', { percorso }, contextOf(dir.path))).content;
    expect(await read('latin.txt')).toContain('Perché così è più bello');
    expect(await read('crlf.txt')).toBe('[CRLF line ends]\n    1\ta\n    2\tb');
    expect(await read('wide.txt')).toBe('[utf-16le]\n    1\tciao è');
    expect(await read('bare16.txt')).toContain('a long enough plain text');
    expect(await read('bom.txt')).toBe('    1\thello');
    expect(await read('min.js')).toContain('[… line of 500000 characters]');
    expect(await read('escape.txt')).toBe('    1\ta\\x1b]0;title\\x07b\\x85c');
    expect(await read('empty.txt')).toBe('(empty file)');
  });

  test('explains binary files, lists folders, and refuses other types', async () => {
    await using dir = await tempDir();
    await dir.write({ 'p.png': Buffer.from('89504e470d0a1a0a0000', 'hex'), 'src/a/b.ts': '', 'src/c.ts': '' });
    await symlink('/etc/passwd', join(dir.path, 'out'));
    const context = contextOf(dir.path);
    expect((await run('leggi', { percorso: 'p.png' }, context)).content).toBe(
      'p.png is not text: PNG image, 10 bytes.',
    );
    expect((await run('leggi', { percorso: 'src' }, context)).content).toBe('Folder, 2 entries:\na/\nc.ts');
    for (const [percorso, words] of [
      ['none.ts', 'does not exist'],
      ['out', 'outside'],
      ['../x', 'outside'],
      ['/etc/passwd', 'outside'],
      ['a\0b', 'Invalid path'],
      ['C:\\x', 'Invalid path'],
    ] as const) {
      const { content, isError } = await run('leggi', { percorso }, context);
      expect([content, isError]).toEqual([expect.stringContaining(words), true]);
    }
  });

  test('reads outside the folder at Full access only', async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    await other.write({ 'x.txt': 'far' });
    const context = contextOf(dir.path, { isWholeDisk: true });
    expect((await run('leggi', { percorso: join(other.path, 'x.txt') }, context)).content).toBe('    1\tfar');
    expect([...context.seen.keys()][0]).toMatch(/^\.\.\/fucina-.*\/x\.txt$/);
    const { content } = await run('leggi', { percorso: [...context.seen.keys()][0] }, context);
    expect(content).toBe('    1\tfar');
  });
});
