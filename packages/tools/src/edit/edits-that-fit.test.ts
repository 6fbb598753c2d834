import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemAmbient, type ToolResult } from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contextOf, run, toolNamed } from '../../test/run-tool.ts';
import { createEditTool } from '../edit-tool.ts';
import { createSeenTexts } from '../seen-texts.ts';
import { applyEdits } from './apply-edits.ts';

const edited = async (text: string, input: object, name = 'f.ts'): Promise<ToolResult & { after: string }> => {
  await using dir = await tempDir();
  await dir.write({ [name]: text });
  const result = await run('file_edit', { percorso: name, ...input }, contextOf(dir.path));
  return { ...result, after: await readFile(join(dir.path, name), 'utf8') };
};

describe('the old text fits apart from', () => {
  test.each<[what: string, file: string, vecchio: string, nuovo: string, after: string, said: string]>([
    [
      'trailing spaces of the model',
      'a = 1\nb = 2\nc\n',
      'a = 1  \nb = 2 ',
      'a = 1\nb = 3',
      'a = 1\nb = 3\nc\n',
      'trailing spaces',
    ],
    [
      'trailing spaces of the file',
      'a = 1  \nb = 2\nc  \n',
      'a = 1\nb = 2',
      'a = 1\nb = 3',
      'a = 1  \nb = 3\nc  \n',
      'trailing spaces',
    ],
    ['LF for CRLF', 'a\r\nb\r\nc\r\n', 'a\nb', 'a\nx\ny', 'a\r\nx\r\ny\r\nc\r\n', 'line ends'],
    ['CRLF for LF', 'a\nb\nc\n', 'a\r\nb', 'a\r\nx\r\ny', 'a\nx\ny\nc\n', 'line ends'],
    [
      'typographic quotes of the file',
      'say(“hi”, ‘x’)\n',
      `say("hi", 'x')`,
      `say("bye", 'x')`,
      'say(“bye”, ‘x’)\n',
      'typographic',
    ],
    ['typographic quotes of the model', `say("hi")\n`, 'say(“hi”)', 'say(“bye”)', `say("bye")\n`, 'typographic'],
    [
      'dashes',
      'pages 1–2 – all\nend\n',
      'pages 1-2 - all',
      'pages 1-2 - some',
      'pages 1–2 – some\nend\n',
      'typographic',
    ],
    ['non-breaking spaces', 'a\u00a0b c\n', 'a b c', 'a b d', 'a\u00a0b d\n', 'typographic'],
    [
      'line numbers',
      'one\ntwo\nthree\n',
      '    1\tone\n    2\ttwo',
      '    1\tone\n    2\tTWO',
      'one\nTWO\nthree\n',
      'line numbers',
    ],
    ['line numbers with arrows', 'one\ntwo\n', '  2→two', 'TWO', 'one\nTWO\n', 'line numbers'],
    [
      'line breaks as two characters',
      'if (a) {\n  b();\n}\n',
      'if (a) {\\n  b();\\n}',
      'if (a) {\\n  c();\\n}',
      'if (a) {\n  c();\n}\n',
      '\\n',
    ],
    [
      'entities',
      'if (a < b && c > "d") {}\n',
      'if (a &lt; b &amp;&amp; c &gt; &quot;d&quot;)',
      'if (a &lt;= b)',
      'if (a <= b) {}\n',
      'entities',
    ],
    ['a fence', 'a();\nb();\n', '```ts\na();\n```', '```ts\nc();\n```', 'c();\nb();\n', 'fence'],
    [
      'another indentation',
      'class A {\n    f() {\n        a();\n    }\n}\n',
      '  f() {\n    a();\n  }',
      '  f() {\n    a();\n    if (b) {\n      c();\n    }\n  }',
      'class A {\n    f() {\n        a();\n        if (b) {\n            c();\n        }\n    }\n}\n',
      'indentation',
    ],
    [
      'spaces for tabs',
      'f() {\n\tif (a) {\n\t\tb();\n\t}\n}\n',
      '    if (a) {\n        b();\n    }',
      '    if (a) {\n        b();\n        while (c) {\n            d();\n        }\n    }',
      'f() {\n\tif (a) {\n\t\tb();\n\t\twhile (c) {\n\t\t\td();\n\t\t}\n\t}\n}\n',
      'indentation',
    ],
    [
      'an indentation that is missing',
      'def f():\n    if a:\n        b()\n    c()\n',
      'if a:\n    b()',
      'if a:\n    b()\nelse:\n    d()',
      'def f():\n    if a:\n        b()\n    else:\n        d()\n    c()\n',
      'indentation',
    ],
  ])('%s', async (...row) => {
    const [, file, vecchio, nuovo, after, said] = row;
    const result = await edited(file, { vecchio, nuovo });
    expect(result).toMatchObject({ after, content: expect.stringMatching(/\nAdjusted: .*\n/) });
    expect(result.content.split('\n')[1]).toContain(said);
    // Twice in the file, the same text is refused.
    const twice = await edited(`${file}\n${file}`, { vecchio, nuovo });
    expect([twice.isError, twice.after]).toEqual([true, `${file}\n${file}`]);
  });

  test('a final line break that is missing, at the end of the file only', async () => {
    const result = await edited('last\na\nlast', { vecchio: 'a\nlast\n', nuovo: 'end\n' });
    expect(result.after).toBe('last\nend');
    expect(result.content).toContain('Adjusted: the file ends without a line break.');
    expect((await edited('last a\nb', { vecchio: 'last\n', nuovo: 'end\n' })).isError).toBe(true);
  });

  test('nothing when the exact text is there, whatever else is like it', async () => {
    const result = await edited('a = "x"\na = “x”\n\ta = "x";\n', { vecchio: 'a = “x”', nuovo: 'a = “y”' });
    expect(result.after).toBe('a = "x"\na = “y”\n\ta = "x";\n');
    expect(result.content).not.toContain('Adjusted');
  });
});

describe('an edit is refused, and nothing changes, when', () => {
  test.each<[why: string, file: string, vecchio: string, nuovo: string, said: RegExp]>([
    [
      'lines are left out with dots',
      'a();\nb();\nc();\n',
      'a();\n...\nc();',
      'd();',
      /leaves lines out \(line 2 of it\)/,
    ],
    [
      'lines are left out with a comment',
      'a();\nb();\nc();\n',
      'a();\n// ... existing code ...\nc();',
      'd();',
      /leaves lines out/,
    ],
    [
      'the new text has a comment in place of lines',
      'a();\nb();\n',
      'a();',
      'x();\n// ... rest of the code ...',
      /in place of lines/,
    ],
    [
      'one indentation of it stands for several',
      'x\n    a\n      b\n        c\n',
      'a\nb\nc',
      'a\nd\nc',
      /not clear which is meant/,
    ],
    [
      'it fits two places',
      '  a(1)\n    b\n\n    a(1)\n      b\n',
      ' a(1)\n   b',
      ' c',
      /occurs 2 times in f\.ts \(.*\) \(lines 1, 4\)[^]*\n {4}3\t\n {4}4\t {4}a\(1\)\n/,
    ],
    ['numbers are not those of lines', 'error\nx\n', '404: error!', 'y', /does not occur/],
  ])('%s', async (...row) => {
    const [, file, vecchio, nuovo, said] = row;
    const { isError, content, after } = await edited(file, { vecchio, nuovo });
    expect([isError, after]).toEqual([true, file]);
    expect(content).toMatch(/^Nothing was changed/);
    expect(content).toMatch(said);
  });

  test('several places fit, which it shows with their lines', async () => {
    const { content } = await edited('one\nx\ntwo\nthree\nx\nfour\n', { vecchio: 'x', nuovo: 'y' });
    expect(content).toBe(
      'Nothing was changed: the old text occurs 2 times in f.ts (lines 2, 5). Add surrounding lines to make it unique, or ' +
        'replace all of them.\n    1\tone\n    2\tx\n    3\ttwo\n  …\n    4\tthree\n    5\tx\n    6\tfour',
    );
  });
});

describe('several edits in one call', () => {
  const file = 'one\ntwo\nthree\n';

  test('are made in their order, each on the result of those before', async () => {
    const altre = [
      { vecchio: 'ONE\n', nuovo: 'ONE\nnew\n' },
      { vecchio: 'e', nuovo: 'E', tutte: true },
    ];
    const result = await edited(file, { vecchio: 'one', nuovo: 'ONE', altre });
    expect(result.after).toBe('ONE\nnEw\ntwo\nthrEE\n');
    expect(result.changes).toEqual([{ path: 'f.ts', before: file, after: result.after }]);
    expect(result.content).toMatch(/^Edited f\.ts: 5 replacements at lines 1, 2, 4\.\n {4}1\tONE\n {4}2\tnEw\n/);
  });

  test('are all refused with the number of the one that fails', async () => {
    const altre = [{ vecchio: 'none', nuovo: 'x' }];
    const { isError, content, after } = await edited(file, { vecchio: 'one', nuovo: 'ONE', altre });
    expect([isError, after]).toEqual([true, file]);
    expect(content).toMatch(
      /^Nothing was changed, as edit 2 of 2 cannot be made: the old text does not occur in f\.ts\./,
    );
  });

  test('are all in the action that the user approves', () => {
    const altre = [{ vecchio: 'b', nuovo: 'c' }];
    const action = toolNamed('file_edit').action(
      { percorso: 'f.ts', vecchio: 'a', nuovo: 'b', altre },
      { folder: '/p', testCommand: null },
    );
    expect(action).toEqual({ tipo: 'file_edit', percorso: 'f.ts', vecchio: 'a', nuovo: 'b', altre });
  });
});

describe('a file that changed since it was read', () => {
  const lines = (...changed: [number, string][]): string => {
    const all = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
    for (const [number, text] of changed) all[number - 1] = text;
    return `${all.join('\n')}\n`;
  };

  test('is edited where the old text is unique, and what changed elsewhere is shown', async () => {
    await using dir = await tempDir();
    await dir.write({ 'f.ts': lines() });
    const context = contextOf(dir.path);
    await run('leggi', { percorso: 'f.ts' }, context);
    await writeFile(join(dir.path, 'f.ts'), lines([3, 'theirs']));
    const edit = (vecchio: string, nuovo: string) => run('file_edit', { percorso: 'f.ts', vecchio, nuovo }, context);
    const first = await edit('line 12', 'mine\nmine too');
    expect(first.content).toContain('The file had changed since you read it, also at lines 3:\n    3\ttheirs');
    expect(await readFile(join(dir.path, 'f.ts'), 'utf8')).toBe(lines([3, 'theirs'], [12, 'mine\nmine too']));
    expect((await edit('line 15', 'x')).content).not.toContain('changed since');
  });

  test('stays unknown to whole writes while what changed in it was not shown', async () => {
    await using dir = await tempDir();
    await dir.write({ 'f.ts': lines() });
    const context = contextOf(dir.path);
    context.seen.set('f.ts', 'a version from before a restart');
    const edit = await run('file_edit', { percorso: 'f.ts', vecchio: 'line 12', nuovo: 'mine' }, context);
    expect(edit.content).toContain('it is not known where: read it again');
    expect((await run('scrivi', { percorso: 'f.ts', contenuto: 'all' }, context)).content).toContain('changed since');
    expect(await readFile(join(dir.path, 'f.ts'), 'utf8')).toBe(lines([12, 'mine']));
  });

  test('is refused where the old text is no longer unique', async () => {
    await using dir = await tempDir();
    await dir.write({ 'f.ts': lines() });
    const context = contextOf(dir.path);
    await run('leggi', { percorso: 'f.ts' }, context);
    await writeFile(join(dir.path, 'f.ts'), lines([3, 'line 20']));
    const refused = await run('file_edit', { percorso: 'f.ts', vecchio: 'line 20', nuovo: 'mine' }, context);
    expect([refused.isError, refused.content]).toEqual([true, expect.stringContaining('occurs 2 times')]);
  });
});

describe('what only a slip explains is not written without a word', () => {
  test.each<[name: string, sent: string, written: string, said: string]>([
    ['a.ts', '```ts\na();\n```', 'a();\n', 'The code fence around the text was left out.'],
    ['a.json', '```json\n{"a": 1}\n```\n', '{"a": 1}\n', 'The code fence around the text was left out.'],
    ['a.md', '```ts\na();\n```', '```ts\na();\n```', 'The text is in a code fence, which was written too.'],
    ['a.py', 'def f():\\n    return 1\\n', 'def f():\n    return 1\n', 'Its \\n were written as line breaks.'],
    ['b.ts', 'print("a\\nb");', 'print("a\\nb");', ''],
    ['c.ts', 'text.split(/\\n/);', 'text.split(/\\n/);', ''],
    ['b.md', 'x\n```ts\na();\n```', 'x\n```ts\na();\n```', ''],
  ])('scrivi writes %s', async (name, contenuto, written, said) => {
    await using dir = await tempDir();
    const result = await run('scrivi', { percorso: name, contenuto }, contextOf(dir.path));
    expect(await readFile(join(dir.path, name), 'utf8')).toBe(written);
    expect(result.content).toMatch(new RegExp(`^Created ${name} \\(\\d lines?\\)\\.${said ? ' ' : '$'}`));
    expect(result.content).toContain(said);
    const action = toolNamed('scrivi').action({ percorso: name, contenuto }, { folder: dir.path, testCommand: null });
    expect(action.contenuto).toBe(written);
  });

  test.each<[nuovo: string, written: string, said: RegExp]>([
    ['```ts\nb();\nc();\n```', 'b();\nc();\nlast\n', /Adjusted: code fence/],
    ['b();\\nc();', 'b();\nc();\nlast\n', /Adjusted: \\n in the new text/],
    ['print("a\\nb");', 'print("a\\nb");\nlast\n', /^Edited f\.ts: 1 replacement at line 1\.\n {4}1/],
  ])('an edit with %j', async (nuovo, written, said) => {
    const { after, content } = await edited('a();\nlast\n', { vecchio: 'a();', nuovo });
    expect(after).toBe(written);
    expect(content).toMatch(said);
  });
});

test('shows no line of a file whose reading a rule restricts', async () => {
  await using dir = await tempDir();
  await dir.write({ '.env': 'A=secret\nB=1\nC=1\n', '.env.example': 'A=secret\nB=1\n' });
  const tool = createEditTool({
    ambient: systemAmbient('silent'),
    environment: process.env,
    texts: createSeenTexts(),
    guardsReading: async (folder) => (path) => path === join(folder, '.env'),
  });
  const edit = async (percorso: string, vecchio: string) =>
    (await tool.run({ percorso, vecchio, nuovo: 'B=2' }, contextOf(dir.path))).content;
  expect(await edit('.env', '=1')).not.toContain('secret');
  expect(await edit('.env', 'B=1')).toBe('Edited .env: 1 replacement at line 2.');
  expect(await edit('.env.example', 'B=1')).toContain('A=secret');
});

test('bounds what it shows of a long new text', async () => {
  const nuovo = Array.from({ length: 500 }, (_, index) => `line ${index}`).join('\n');
  const { content } = await edited('a\nb\nc\n', { vecchio: 'b', nuovo });
  expect(content).toContain('… 486 lines …');
  expect(content.split('\n').length).toBeLessThan(25);
});

test('changes no text outside of the place, whatever the file and the edit', () => {
  const line = fc.stringMatching(/^[ \t]{0,4}[ab“"–-]{0,3}[ \t]{0,2}\r?$/);
  const text = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, text, text, (before, vecchio, nuovo, after) => {
      fc.pre(vecchio.trim() !== '' && vecchio !== nuovo);
      const file = `HEAD\n${before}\n@\n${vecchio}\n@\n${after}\nTAIL`;
      const result = applyEdits(file, [{ vecchio: `@\n${vecchio}\n@`, nuovo: `@\n${nuovo}\n@` }], { label: 'f.txt' });
      const expected = typeof result === 'string' ? undefined : result.text;
      if (expected === undefined) return;
      expect(expected.startsWith(`HEAD\n${before}\n@`)).toBe(true);
      expect(expected.endsWith(`@\n${after}\nTAIL`)).toBe(true);
    }),
    { numRuns: 300 },
  );
});
