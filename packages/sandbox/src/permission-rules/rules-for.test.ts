import { type TempDir, tempDir } from '@fucina/testkit';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPermissionRules } from './permission-rules.ts';
import { rulesFor } from './rules-for.ts';

let folder: TempDir;
beforeAll(async () => {
  folder = await tempDir();
  await folder.write({ 'src/a.ts': '', 'top.ts': '' });
});

const command = (comando: string, verdict: 'allow' | 'deny' = 'allow') =>
  rulesFor({ tipo: 'shell', comando }, folder.path, verdict);
const edit = (percorso: string, tipo = 'file_edit') => rulesFor({ tipo, percorso }, folder.path, 'allow');

describe('suggested rules for a call', () => {
  test.each([
    ['npm test', ['Bash(npm test)']],
    ['git log --oneline -5', ['Bash(git log --oneline -5)']],
    ['echo "two words"', ['Bash(echo "two words")']],
    [`echo 'a "b"'`, [`Bash(echo 'a "b"')`]],
    ['git status && npm test | tail -5', ['Bash(git status)', 'Bash(npm test)', 'Bash(tail -5)']],
  ])('contain the words of %s', async (line, rules) => expect(await command(line)).toEqual(rules));

  test.each(['ls *.ts', 'echo "*"', 'npm test > out', '$CMD', 'ls (', 'A=b npm test', '', `echo "'" '"' "'\\""`])(
    'are empty for %s, which no rule can express exactly',
    async (line) => expect(await command(line)).toEqual([]),
  );

  test('deny each command of a line', async () => {
    expect(await command('rm -rf x', 'deny')).toEqual(['Bash(rm -rf x)']);
    expect(await command('git status && rm -rf x', 'deny')).toEqual(['Bash(git status)', 'Bash(rm -rf x)']);
  });

  test('name one file and no other with that name', async () => {
    expect(await edit('src/a.ts')).toEqual(['Edit(src/a.ts)']);
    expect(await edit('top.ts', 'scrivi')).toEqual([`Edit(${folder.path}/top.ts)`]);
    expect(await edit('/etc/hosts')).toEqual(['Edit(/etc/hosts)']);
    expect(await edit('../beside.ts')).toHaveLength(1);
    expect(await edit('src/[a].ts')).toEqual([]);
    const rules = createPermissionRules({ allow: await edit('top.ts'), ask: [], deny: [] });
    expect(await rules.judge({ tipo: 'file_edit', percorso: 'src/top.ts' }, folder.path)).toBeUndefined();
  });

  test('name the host of an address, or the tool without a subject', async () => {
    const url = 'https://docs.example.com/a?b=c';
    expect(await rulesFor({ tipo: 'naviga', url }, folder.path, 'allow')).toEqual(['WebFetch(docs.example.com)']);
    expect(await rulesFor({ tipo: 'mcp__disk__write' }, folder.path, 'deny')).toEqual(['mcp__disk__write']);
  });

  test('name the host that a command wants to reach, not the command', async () => {
    const action = { tipo: 'rete', host: 'example.org', porta: 443, comando: 'npm ci' };
    expect(await rulesFor(action, folder.path, 'allow')).toEqual(['Network(example.org)']);
    expect(await rulesFor(action, folder.path, 'deny')).toEqual(['Network(example.org)']);
    expect(await rulesFor({ ...action, host: '2606:4700::1' }, folder.path, 'allow')).toEqual([
      'Network([2606:4700::1])',
    ]);
  });

  test('are never offered for a file that can run code', async () => {
    const action = { tipo: 'scrivi', percorso: 'src/a.ts', motivo: 'file-di-controllo' };
    expect(await rulesFor(action, folder.path, 'allow')).toEqual([]);
    expect(await rulesFor(action, folder.path, 'deny')).toEqual(['Edit(src/a.ts)']);
  });

  test('are matched quickly for thousands of calls', async () => {
    for (let call = 0; call < 1_500; call += 1) expect(await command(`make part-${call}`)).toHaveLength(1);
  });

  test('allow the command with any words but not with one more', async () => {
    const word = fc
      .string({ minLength: 1, maxLength: 8 })
      .filter((text) => !text.includes("'") && !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 4 }), async (words) => {
        const line = `do-it ${words.map((one) => `'${one}'`).join(' ')}`;
        const texts = await command(line);
        if (texts.length === 0) return;
        const rules = createPermissionRules({ allow: texts, ask: [], deny: [] });
        const judge = async (comando: string) => (await rules.judge({ tipo: 'shell', comando }, folder.path))?.verdict;
        expect(await judge(line)).toBe('allow');
        expect(await judge(`${line} more`)).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });
});
