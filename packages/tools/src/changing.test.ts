import { chmod, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ToolResult } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { contextOf, heldLimits, run, toolNamed, workspaceToolsOn } from '../test/run-tool.ts';
import { createWriteTool } from './write-tool.ts';

describe('scrivi', () => {
  test('creates and replaces files with the text before and after', async () => {
    await using dir = await tempDir();
    const context = contextOf(dir.path);
    expect(await run('scrivi', { percorso: 'a/b/c.txt', contenuto: 'one\ntwo\n' }, context)).toEqual({
      content: 'Created a/b/c.txt (2 lines).',
      changes: [{ path: 'a/b/c.txt', before: null, after: 'one\ntwo\n' }],
    });
    await chmod(join(dir.path, 'a/b/c.txt'), 0o755);
    const second = await run('scrivi', { percorso: 'a/b/c.txt', contenuto: 'three' }, context);
    expect(second.changes).toEqual([{ path: 'a/b/c.txt', before: 'one\ntwo\n', after: 'three' }]);
    expect((await stat(join(dir.path, 'a/b/c.txt'))).mode & 0o777).toBe(0o755);
    const same = await run('scrivi', { percorso: 'a/b/c.txt', contenuto: 'three' }, context);
    expect([same.changes, same.isError]).toEqual([undefined, undefined]);
  });

  test('reports replacing text that was not plain UTF-8', async () => {
    await using dir = await tempDir();
    await dir.write({ 'p.png': Buffer.from('89504e470d0a1a0a0000', 'hex'), 'crlf.txt': 'a\r\n' });
    const context = contextOf(dir.path);
    const refused = await run('scrivi', { percorso: 'p.png', contenuto: 'x' }, context);
    expect(refused.content).toContain('It is not text: PNG image, 10 bytes.');
    const binary = await run('scrivi', { percorso: 'p.png', contenuto: 'x' }, context);
    expect(binary.content).toContain('was not text (PNG image, 10 bytes)');
    expect(binary.changes).toEqual([{ path: 'p.png', before: null, after: 'x' }]);
  });

  test('keeps byte order mark, line ends and encoding of the file that it replaces', async () => {
    await using dir = await tempDir();
    const latin = iconv.encode('Perché così è più bello, città e virtù.\n', 'latin1');
    await dir.write({
      'p.aspx': '\ufeff<p>sécurisé</p>\r\n<p>x</p>\r\n',
      'mixed.txt': 'a\r\nb\n',
      'latin.txt': latin,
    });
    const rewritten = async (percorso: string, contenuto: string): Promise<[string, Buffer]> => {
      const context = contextOf(dir.path);
      await run('leggi', { percorso }, context);
      const { content } = await run('scrivi', { percorso, contenuto }, context);
      return [content, await readFile(join(dir.path, percorso))];
    };
    const [page, bytes] = await rewritten('p.aspx', '<p>sécurisé</p>\n<p>y</p>\n');
    expect(bytes.toString()).toBe('\ufeff<p>sécurisé</p>\r\n<p>y</p>\r\n');
    expect(page).toBe('Replaced p.aspx (2 lines).');
    expect((await rewritten('p.aspx', '\ufeffx'))[1].toString()).toBe('\ufeffx');
    expect((await rewritten('mixed.txt', 'a\nb\n'))[1].toString()).toBe('a\nb\n');
    expect((await rewritten('latin.txt', 'virtù\n'))[1].equals(Buffer.from('virt\xf9\n', 'latin1'))).toBe(true);
    const [said, wide] = await rewritten('latin.txt', '漢字\n');
    expect(wide.toString()).toBe('漢字\n');
    expect(said).toContain('lacks some of its characters, and is now utf-8');
  });

  test('says that a new file cannot exist on Windows, and creates it', async () => {
    await using dir = await tempDir();
    const created = async (percorso: string) =>
      (await run('scrivi', { percorso, contenuto: 'x' }, contextOf(dir.path))).content;
    expect(await created('src/aux.c')).toBe('Created src/aux.c (1 line). A file of this name cannot exist on Windows.');
    expect(await created('src/auxiliary.c')).toBe('Created src/auxiliary.c (1 line).');
    expect((await run('leggi', { percorso: 'src/aux.c' }, contextOf(dir.path))).content).toContain('x');
  });

  test('refuses a file changed since it was read until it is read again', async () => {
    await using dir = await tempDir();
    await dir.write({ 'a.txt': 'one' });
    const context = contextOf(dir.path);
    await run('leggi', { percorso: 'a.txt' }, context);
    await writeFile(join(dir.path, 'a.txt'), 'user');
    const refused = await run('scrivi', { percorso: 'a.txt', contenuto: 'model' }, context);
    expect(refused).toEqual({ content: expect.stringContaining('changed since you read it'), isError: true });
    expect(await readFile(join(dir.path, 'a.txt'), 'utf8')).toBe('user');
    await run('leggi', { percorso: 'a.txt' }, context);
    expect((await run('scrivi', { percorso: 'a.txt', contenuto: 'model' }, context)).isError).toBeUndefined();
    expect((await run('scrivi', { percorso: 'a.txt', contenuto: 'again' }, context)).isError).toBeUndefined();
  });

  test('shows the beginning of a file that was never read instead of replacing it, once', async () => {
    await using dir = await tempDir();
    const long = Array.from({ length: 900 }, (_, index) => `line number ${index + 1}`).join('\n');
    await dir.write({ 'a.txt': 'one\n', 'a.txt.old': 'two\n', 'empty.txt': '', 'long.txt': long });
    const context = contextOf(dir.path);
    const write = (percorso: string, contenuto: string) => run('scrivi', { percorso, contenuto }, context);
    const content = async (percorso: string) => readFile(join(dir.path, percorso), 'utf8');

    await run('leggi', { percorso: 'a.txt' }, context);
    const refused = await write('a.txt.old', 'model');
    expect(refused).toEqual({
      content:
        'a.txt.old exists and was not read in this session, so it was not replaced. Repeat the call to replace the ' +
        'whole file. To change a part, edit it. It begins:\n    1\ttwo',
      isError: true,
    });
    expect(await content('a.txt.old')).toBe('two\n');
    for (const free of ['a.txt', 'empty.txt', 'new.txt', 'new.txt'])
      expect([free, (await write(free, `model ${free}`)).isError]).toEqual([free, undefined]);
    expect((await write('a.txt.old', 'model')).changes).toEqual([
      { path: 'a.txt.old', before: 'two\n', after: 'model' },
    ]);

    const shown = (await write('long.txt', 'model')).content;
    expect([shown.length < 2_200, shown]).toEqual([
      true,
      expect.stringMatching(/line number 1\n.*\[lines 1-\d+ of 900;/s),
    ]);
    await writeFile(join(dir.path, 'long.txt'), 'user');
    expect((await write('long.txt', 'model')).content).toContain('changed since you read it');
    expect(await content('long.txt')).toBe('user');
  });

  test('refuses to replace an unread file before the user is asked', async () => {
    await using dir = await tempDir();
    await dir.write({ 'a.txt': 'one' });
    const context = contextOf(dir.path);
    const problem = (contenuto: string) => toolNamed('scrivi').check?.({ percorso: 'a.txt', contenuto }, context);
    expect(await problem('one')).toBeUndefined();
    expect(await problem('two')).toContain('was not read in this session');
    expect(await problem('two')).toBeUndefined();
    expect(await readFile(join(dir.path, 'a.txt'), 'utf8')).toBe('one');
  });

  test('shows nothing of an unread file whose reading a rule restricts', async () => {
    await using dir = await tempDir();
    await dir.write({ '.env': 'SECRET=1', '.env.example': 'SECRET=' });
    await symlink('.env', join(dir.path, 'link'));
    const tool = createWriteTool({ guardsReading: async (folder) => (path) => path === join(folder, '.env') });
    const shown = async (percorso: string) =>
      (await tool.run({ percorso, contenuto: 'x' }, contextOf(dir.path))).content;
    for (const path of ['.env', 'link']) {
      expect(await shown(path)).toBe(
        `${path} exists and was not read in this session, so it was not replaced. A permission rule restricts reading ` +
          'it. Repeat the call to replace the whole file.',
      );
    }
    expect(await shown('.env.example')).toContain('SECRET=');
  });

  test('never writes outside, nor to a control file through a link', async () => {
    await using dir = await tempDir();
    await using other = await tempDir();
    await other.write({ 'x.txt': 'kept' });
    await dir.write({ '.git/hooks/keep': '' });
    await symlink(join(other.path, 'x.txt'), join(dir.path, 'out'));
    await symlink('.git/hooks', join(dir.path, 'innocent'));
    const context = contextOf(dir.path);
    for (const percorso of ['out', '../y', '/etc/fucina-test', 'a\\b', '', 'innocent/pre-commit']) {
      const input = { percorso, contenuto: 'bad' };
      const { isError } =
        percorso === ''
          ? { isError: !toolNamed('scrivi').input.safeParse(input).success }
          : await run('scrivi', input, context);
      expect([percorso, isError]).toEqual([percorso, true]);
    }
    expect(await readFile(join(other.path, 'x.txt'), 'utf8')).toBe('kept');
    await dir.write({ '.husky/keep': '' });
    await symlink('../.git/hooks', join(dir.path, '.husky/nested'));
    const renamed = await run('scrivi', { percorso: '.husky/nested/pre-push', contenuto: 'bad' }, context);
    expect(renamed.content).toContain('a link to the control file .git/hooks/pre-push');
    expect(
      (await run('scrivi', { percorso: '.git/hooks/pre-commit', contenuto: 'asked' }, context)).isError,
    ).toBeUndefined();
  });

  test('refuses more than 32 MiB', async () => {
    await using dir = await tempDir();
    const refused = await run(
      'scrivi',
      { percorso: 'a', contenuto: 'x'.repeat(32 * 1024 * 1024 + 1) },
      contextOf(dir.path),
    );
    expect(refused).toEqual({ content: expect.stringContaining('32 MiB'), isError: true });
  });
});

describe('file_edit', () => {
  test('reports before approval why an edit is impossible, and changes nothing', async () => {
    await using dir = await tempDir();
    await dir.write({ 'f.txt': 'one two' });
    const context = contextOf(dir.path);
    const problem = (vecchio: string) =>
      toolNamed('file_edit').check?.({ percorso: 'f.txt', vecchio, nuovo: 'x' }, context);
    expect(await problem('three')).toContain('does not occur in f.txt');
    expect(await problem('one')).toBeUndefined();
    expect(await readFile(join(dir.path, 'f.txt'), 'utf8')).toBe('one two');
  });

  const edited = async (text: string | Uint8Array, input: object): Promise<[ToolResult, Buffer]> => {
    await using dir = await tempDir();
    await dir.write({ 'f.txt': text });
    const result = await run('file_edit', { percorso: 'f.txt', ...input }, contextOf(dir.path));
    return [result, await readFile(join(dir.path, 'f.txt'))];
  };

  test('replaces a unique match', async () => {
    const [result, bytes] = await edited('a\nb\nc\n', { vecchio: 'b', nuovo: 'B\nB' });
    expect(result).toEqual({
      content: 'Edited f.txt: 1 replacement at line 2.\n    1\ta\n    2\tB\n    3\tB\n    4\tc',
      changes: [{ path: 'f.txt', before: 'a\nb\nc\n', after: 'a\nB\nB\nc\n' }],
    });
    expect(bytes.toString()).toBe('a\nB\nB\nc\n');
  });

  test('refuses several matches with their lines unless all are requested', async () => {
    const [refused, untouched] = await edited('x\ny\nx\n', { vecchio: 'x', nuovo: 'z' });
    expect(refused).toEqual({ content: expect.stringContaining('2 times in f.txt (lines 1, 3)'), isError: true });
    expect(untouched.toString()).toBe('x\ny\nx\n');
    expect((await edited('x\ny\nx\n', { vecchio: 'x', nuovo: 'z$&', tutte: true }))[1].toString()).toBe(
      'z$&\ny\nz$&\n',
    );
  });

  test('keeps CRLF, byte order mark and encoding', async () => {
    const crlf = (await edited('a\r\nb\r\nc\r\n', { vecchio: 'a\nb', nuovo: 'x\ny\nz' }))[1].toString();
    expect(crlf).toBe('x\r\ny\r\nz\r\nc\r\n');
    expect((await edited('a\r\nb\r\n', { vecchio: 'b', nuovo: 'b\nc' }))[1].toString()).toBe('a\r\nb\r\nc\r\n');
    expect((await edited('\ufeffhello', { vecchio: 'hello', nuovo: 'è' }))[1].toString()).toBe('\ufeffè');
    const latin = iconv.encode('Perché così è più bello, città e virtù.\n', 'latin1');
    expect((await edited(latin, { vecchio: 'bello', nuovo: 'buono' }))[1].includes(0xe9)).toBe(true);
    const [refused, same] = await edited(latin, { vecchio: 'bello', nuovo: '漢字' });
    expect(refused).toEqual({ content: expect.stringContaining('cannot hold'), isError: true });
    expect(same.equals(latin)).toBe(true);
    const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ciao\n', 'utf16le')]);
    expect((await edited(wide, { vecchio: 'ciao', nuovo: 'è' }))[1].toString('utf16le')).toBe('\ufeffè\n');
  });

  test('changes no other byte of a short Latin-1 file, a damaged log or Big5 text', async () => {
    const latin = Buffer.from('caf\xe9 = 1\nb = 2\n', 'latin1');
    expect((await edited(latin, { vecchio: 'b = 2', nuovo: 'b = 3' }))[1].toString('latin1')).toBe(
      'caf\xe9 = 1\nb = 3\n',
    );
    const log = Buffer.concat([Buffer.from('perché così\n'), Buffer.from([0xc3]), Buffer.from('\nlevel=info\n')]);
    const [, changed] = await edited(log, { vecchio: 'level=info', nuovo: 'level=è' });
    expect(changed.equals(Buffer.concat([log.subarray(0, log.length - 11), Buffer.from('level=è\n')]))).toBe(true);
    const big5 = iconv.encode('設定檔的說明：這是中文的文字內容。\nkey = 1\n', 'big5');
    const [, big] = await edited(big5, { vecchio: 'key = 1', nuovo: 'key = 2' });
    expect(big.equals(Buffer.concat([big5.subarray(0, big5.length - 2), Buffer.from('2\n')]))).toBe(true);
  });

  test('changes only what was asked for, whatever the bytes of the file', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), async (before, behind) => {
        const file = Buffer.concat([before, Buffer.from('KEY=old'), behind]);
        const [result, after] = await edited(file, { vecchio: 'KEY=old', nuovo: 'KEY=new text' });
        const expected = result.isError ? file : Buffer.concat([before, Buffer.from('KEY=new text'), behind]);
        expect(after.equals(expected)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test('shows the model the closest match', async () => {
    const text = 'function one() {\n    return compute(alpha, beta);\n}\n';
    const hint = async (vecchio: string): Promise<string> => {
      const [{ content, isError }, bytes] = await edited(text, { vecchio, nuovo: 'x' });
      expect([isError, bytes.toString()]).toEqual([true, text]);
      return content;
    };
    expect(await hint('return  compute(alpha, beta);')).toContain('line 2 with other white space');
    expect(await hint('function one() {\n  return compute(alpha);\n}')).toContain('differs from line 2 on');
    expect(await hint('return compute(alpha, gamma);')).toContain('The nearest lines are:\n    2\t');
    expect(await hint('    2\treturn compute(beta);')).toContain('Leave out the line numbers');
    expect(await hint('nothing of the kind')).toContain('Read the file again');
    expect(await hint(' \n ')).toContain('white space');
  });

  test('refuses empty and identical texts', async () => {
    await using dir = await tempDir();
    await dir.write({ bin: Buffer.from([0, 1, 2, 0, 0, 9]), a: 'x' });
    const refusal = async (input: object): Promise<string> => {
      const { content, isError } = await run('file_edit', input, contextOf(dir.path));
      expect(isError).toBe(true);
      return content;
    };
    expect(await refusal({ percorso: 'a', vecchio: 'x', nuovo: 'x' })).toContain('same text');
    expect(await refusal({ percorso: 'none', vecchio: 'x', nuovo: 'y' })).toContain('does not exist');
    expect(await refusal({ percorso: 'bin', vecchio: 'x', nuovo: 'y' })).toContain('not text');
    expect(await refusal({ percorso: '../a', vecchio: 'x', nuovo: 'y' })).toContain('outside');
  });
});

describe('shell and prova', () => {
  test('run in the folder and return exit code, output and time', async () => {
    await using dir = await tempDir();
    const context = contextOf(dir.path);
    const result = await run('shell', { comando: 'echo out; echo err >&2; pwd; exit 3' }, context);
    expect(result.content).toMatch(/^Exit code 3 \(\d+\.\d s\)\.\nout\n.*\nstderr:\nerr$/s);
    expect(result.isError).toBe(true);
    expect(result.command).toMatchObject({ cwd: dir.path, stdout: `out\n${dir.path}\n`, stderr: 'err\n', exitCode: 3 });
    expect(context.live.join('')).toContain('out\n');
    expect((await run('shell', { comando: 'true' }, context)).content).toMatch(/^Exit code 0 .*\n\(no output\)$/);
    expect((await run('shell', { comando: 'true' }, context)).isError).toBeUndefined();
  });

  test('the test command runs, or its absence is reported', async () => {
    await using dir = await tempDir();
    expect(await run('prova', {}, contextOf(dir.path))).toEqual({
      content: expect.stringContaining('No test command'),
      isError: true,
    });
    const { command } = await run('prova', {}, contextOf(dir.path, { testCommand: 'echo fine' }));
    expect(command).toMatchObject({ command: 'echo fine', stdout: 'fine\n', exitCode: 0 });
  });

  test('escape sequences and overwritten lines are removed from results and output', async () => {
    await using dir = await tempDir();
    const context = contextOf(dir.path);
    const comando = String.raw`printf '\e[31mred\e[0m \e]0;t\aok\n10%%\r20%%\rdone\n\e]52;c;YQ==\e\\end\x9bm\n'`;
    const { command, content } = await run('shell', { comando }, context);
    expect(command?.stdout).toBe('red ok\ndone\nend\ufffdm\n');
    expect(/(?![\n\t])\p{Cc}/u.test(content + context.live.join(''))).toBe(false);
  });

  test('a flood is truncated in the result, bounded live, and does not block the process', async () => {
    await using dir = await tempDir();
    const context = contextOf(dir.path);
    const { content, command } = await run(
      'shell',
      { comando: 'yes | head -c 50000000; echo END', secondi: 30 },
      context,
    );
    expect(content.length).toBeLessThanOrEqual(16_000);
    expect(content).toContain('END');
    expect(content).toMatch(/cut …\]/);
    expect(command?.stdout.length).toBeLessThanOrEqual(4000);
    expect(context.live.join('').length).toBeLessThan(1_200_000);
  });

  test('a timeout and a stop end every started process', async () => {
    await using dir = await tempDir();
    await using data = await tempDir();
    const limit = heldLimits(1_000);
    limit.hold();
    const own = workspaceToolsOn(data.path, limit.ambient);
    await using _commands = own.commands;
    const timing = contextOf(dir.path, { progress: () => limit.pass() });
    const comando = 'echo begun; setsid sleep 876 & sleep 876';
    const timed = await toolNamed('shell', own.tools).run({ comando, secondi: 1 }, timing);
    expect(timed.content).toMatch(/did not end within 1 s.*\nbegun/s);
    expect(timed.command?.exitCode).toBeNull();
    const controller = new AbortController();
    const context = contextOf(dir.path, { signal: controller.signal, progress: () => controller.abort() });
    const stopped = await run('shell', { comando: 'echo begun; sleep 876' }, context);
    expect([stopped.isError, stopped.content]).toEqual([true, expect.stringContaining('Stopped after')]);
    const left = await run('shell', { comando: 'pgrep -f "^sleep 876" | wc -l' }, contextOf(dir.path));
    expect(left.command?.stdout.trim()).toBe('0');
  });

  test('a command that cannot start is reported', async () => {
    await using dir = await tempDir();
    const { content, isError } = await run('shell', { comando: 'echo \0' }, contextOf(dir.path));
    expect([isError, content]).toEqual([true, expect.stringContaining('could not be started')]);
    await rm(dir.path, { recursive: true });
    expect((await run('shell', { comando: 'true' }, contextOf(dir.path))).content).toContain(
      `the folder of this session, ${dir.path}, no longer exists`,
    );
  });
});
