import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { languageFor, projectWith, TSCONFIG } from './projects.ts';

const signal = new AbortController().signal;
const GOOD = 'export const size = (text: string): number => text.length;\n';

describe.each(['typescript', 'typescript-language-server'] as const)('%s', (server) => {
  test('reports only what an edit introduced, and each problem once', async () => {
    const old = `${GOOD}export const wrong: number = 'old';\n`;
    await using project = await projectWith(server, { 'tsconfig.json': TSCONFIG, 'a.ts': old });
    await using language = languageFor();
    const { folder } = project;
    expect(await language.checks.ofFile({ folder, path: 'a.ts' })).toHaveLength(1);
    const edit = async (before: string, after: string): Promise<string> => {
      await writeFile(join(folder, 'a.ts'), after);
      return language.checks.afterEdit({ sessionId: 's', folder, changes: [{ path: 'a.ts', before, after }], signal });
    };
    const broken = `\n${old}export const other: string = size('x');\n`;
    expect(await edit(old, broken)).toBe(
      "New problems after this edit:\na.ts:4:14 error TS2322: Type 'number' is not assignable to type 'string'.",
    );
    expect(await edit(broken, `\n${broken}`)).toBe('');
    expect(await edit(`\n${broken}`, old)).toBe('');
  });

  test('reports what an edit breaks in a file that the session touched before', async () => {
    const user = "import { size } from './a.ts';\nexport const n: number = size('x');\n";
    await using project = await projectWith(server, { 'tsconfig.json': TSCONFIG, 'a.ts': GOOD, 'b.ts': user });
    await using language = languageFor();
    const { folder } = project;
    await language.checks.ofFile({ folder, path: 'b.ts' });
    const about = { sessionId: 's', folder, signal };
    const touched = `${user}\n`;
    await writeFile(join(folder, 'b.ts'), touched);
    const first = { ...about, changes: [{ path: 'b.ts', before: user, after: touched }] };
    expect(await language.checks.afterEdit(first)).toBe('');
    const after = GOOD.replace('number => text.length', 'string => text');
    const texts: string[] = [];
    // A slow machine may not look at both files in time: the later edit reports what the earlier one left out.
    for (let edit = 0; edit < 5 && !texts.join('').includes('b.ts'); edit++) {
      const [previous, next] = [edit === 0 ? GOOD : after + '\n'.repeat(edit - 1), after + '\n'.repeat(edit)];
      await writeFile(join(folder, 'a.ts'), next);
      const changes = [{ path: 'a.ts', before: previous, after: next }];
      texts.push(await language.checks.afterEdit({ ...about, changes }));
    }
    expect(texts.join('')).toContain("b.ts:2:14 error TS2322: Type 'string' is not assignable to type 'number'.");
  });
});

test('reports type errors of Python', async () => {
  const good = 'def size(text: str) -> int:\n    return len(text)\n';
  await using project = await projectWith('pyright', { 'a.py': good });
  await using language = languageFor();
  const { folder } = project;
  expect(await language.checks.ofFile({ folder, path: 'a.py' })).toEqual([]);
  const after = `${good}\nwrong: str = size("x")\n`;
  await writeFile(join(folder, 'a.py'), after);
  const text = await language.checks.afterEdit({
    sessionId: 's',
    folder,
    changes: [{ path: 'a.py', before: good, after }],
    signal,
  });
  expect(text).toContain('a.py:4:14 error reportAssignmentType: Type "int" is not assignable to declared type "str"');
});
