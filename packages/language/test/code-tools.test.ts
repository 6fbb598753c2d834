import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PARALLEL_TOOLS } from '@fucina/conversation';
import type { FileChange, ToolContext, ToolResult } from '@fucina/shared';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Language } from '../src/index.ts';
import type { ChangeFiles } from '../src/tools/change-tool.ts';
import { languageFor, projectWith, TSCONFIG } from './projects.ts';

const SIZE = '/** How long a text is. */\nexport const size = (text: string): number => text.length;\n';
const USER = "import { size } from './size.ts';\n\nexport const n: number = size('x');\nexport const m = { size };\n";

/** As host passes it, without the checks of files. */
const changeFiles: ChangeFiles = async (files, _approval, { folder }) => {
  const changes: FileChange[] = [];
  for (const { path, change } of files) {
    const before = await readFile(join(folder, path), 'utf8');
    const after = change(before);
    await writeFile(join(folder, path), after);
    changes.push({ path, before, after });
  }
  return changes;
};

type Server = 'typescript' | 'typescript-language-server';
const opened: AsyncDisposable[] = [];
afterAll(async () => {
  for (const one of opened.reverse()) await one[Symbol.asyncDispose]();
});

async function start(server: Server) {
  const project = await projectWith(server, { 'tsconfig.json': TSCONFIG, 'size.ts': SIZE, 'user.ts': USER });
  const language = languageFor({ changeFiles });
  opened.push(project, language);
  return { folder: project.folder, language };
}

async function call(language: Language, folder: string, name: string, input: object): Promise<ToolResult> {
  const tool = language.tools.find((one) => one.name === name);
  const context = { folder, sessionId: 's' } as ToolContext;
  return tool?.run(tool.input.parse(input), context) ?? { content: 'no tool' };
}

describe.each(['typescript', 'typescript-language-server'] as const)('%s', (server) => {
  let place: Awaited<ReturnType<typeof start>> | undefined;
  beforeEach(async () => {
    place ??= await start(server);
    await writeFile(join(place.folder, 'size.ts'), SIZE);
    await writeFile(join(place.folder, 'user.ts'), USER);
  });
  const navigate = async (input: object): Promise<string> =>
    (await call(place?.language as Language, place?.folder ?? '', 'code_navigate', input)).content;
  const change = (input: object): Promise<ToolResult> =>
    call(place?.language as Language, place?.folder ?? '', 'code_change', input);

  test('reads run in parallel, changes one at a time', () => {
    // As the conversation shows it.
    const shown = place?.language.tools.map(({ name }) => [name, PARALLEL_TOOLS.has(name)]);
    expect(shown).toEqual(place?.language.tools.map(({ name, effect }) => [name, effect === 'read']));
    expect(shown).toContainEqual(['code_navigate', true]);
  });

  test('finds the definition, the references, the type and the outline', async () => {
    const at = { percorso: 'user.ts', simbolo: 'size', riga: 3 };
    expect(await navigate({ azione: 'definizione', ...at })).toBe(
      'size.ts:2: export const size = (text: string): number => text.length;',
    );
    const references = await navigate({ azione: 'riferimenti', ...at });
    expect(references).toContain("user.ts:3: export const n: number = size('x');");
    expect(references).toContain('size.ts:2:');
    expect(await navigate({ azione: 'info', ...at })).toContain('How long a text is.');
    expect(await navigate({ azione: 'simboli', percorso: 'size.ts' })).toMatch(/^2 (constant|variable|function) size$/);
  });

  test('renames in every file', async () => {
    const result = await change({ azione: 'rinomina', percorso: 'size.ts', simbolo: 'size', riga: 2, nuovo: 'length' });
    expect(result.changes?.map(({ path }) => path).sort()).toEqual(['size.ts', 'user.ts']);
    expect(result.content).toMatch(/^Changed .*size\.ts/);
    const user = await readFile(join(place?.folder ?? '', 'user.ts'), 'utf8');
    expect(user).toContain("export const n: number = length('x');");
    expect(user).toContain('m = { size: length }');
  });

  test('renames in a file that was created a moment ago', async () => {
    await navigate({ azione: 'simboli', percorso: 'size.ts' });
    await writeFile(join(place?.folder ?? '', `late-${server}.ts`), USER);
    const result = await change({ azione: 'rinomina', percorso: 'size.ts', simbolo: 'size', riga: 2, nuovo: 'length' });
    expect(result.changes?.map(({ path }) => path)).toContain(`late-${server}.ts`);
    await rm(join(place?.folder ?? '', `late-${server}.ts`));
  });

  test('lists the fixes of a line and applies one', async () => {
    const wrong = 'export const n: number = size("x");\n';
    await writeFile(join(place?.folder ?? '', 'user.ts'), wrong);
    const offered = await navigate({ azione: 'correzioni', percorso: 'user.ts', riga: 1 });
    const titolo = /^- (Add import from .*)$/m.exec(offered)?.[1];
    expect(offered).toMatch(/Add import from/);
    const fixed = await change({ azione: 'correzione', percorso: 'user.ts', riga: 1, titolo });
    expect(fixed.changes?.[0]?.after).toMatch(/^import \{ size \} from ["'].\/size/);
    const unknown = { azione: 'correzione', percorso: 'user.ts', riga: 1, titolo: 'Nothing like it' };
    expect((await change(unknown)).content).toMatch(/^There is no such fix for line 1 of user\.ts/);
  });

  test('says what is missing and changes nothing', async () => {
    expect(await navigate({ azione: 'definizione', percorso: 'user.ts' })).toBe('definizione needs simbolo.');
    expect(await navigate({ azione: 'info', percorso: 'user.ts', simbolo: 'absent' })).toBe(
      '"absent" does not occur in user.ts.',
    );
    expect(await navigate({ azione: 'simboli', percorso: '../outside.ts' })).toMatch(/cannot be used/);
    expect(await navigate({ azione: 'simboli', percorso: 'gone.ts' })).toMatch(/cannot be used/);
    expect(await navigate({ azione: 'simboli', percorso: 'README.md' })).toMatch(/^No language server answers/);
    expect((await change({ azione: 'rinomina', percorso: 'user.ts', simbolo: 'n' })).content).toBe(
      'rinomina needs simbolo and nuovo.',
    );
    const keyword = { azione: 'rinomina', percorso: 'user.ts', simbolo: 'const', nuovo: 'x' };
    expect(await change(keyword)).toMatchObject({ isError: true });
  });
});
