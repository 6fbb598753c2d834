import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createHelp } from './help.ts';
import { sectionsOf } from './pages.ts';

let dir: string;
async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), text);
  }
}

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'fucina-help-'));
  await write({
    'en/keys.md':
      '# Providers and keys\n\nWho runs the model.\n\n## Add a key\n\nOpen the `provider`.\n\n- first entry\n- second entry about keys\n\n## Where keys are kept\n\nIn the [key store](x) of the system.\n',
    'en/README.md': '# For writers\n\n## Zebra\n\nzebra zebra\n',
    'en/large.md': `# Large\n\n## Giraffe\n\n${'giraffe '.repeat(40_000)}`,
    'it/permessi.md': '# Permessi\n\n## I quattro livelli\n\nUn permesso per ogni attività. Perché sì.\n',
  });
});
afterEach(() => rm(dir, { recursive: true, force: true }));
const ask = (question: string, language: 'it' | 'en' = 'en') => createHelp({ helpDir: dir }).ask(question, language);

describe('a question', () => {
  test('is answered from the best matching section with its location', async () => {
    const answer = await ask('Where are my keys kept?');
    expect(answer).toEqual({
      text: 'Providers and keys — Where keys are kept\n\nIn the key store of the system.',
      sources: [
        {
          title: 'Providers and keys',
          section: 'Where keys are kept',
          path: 'docs/help/en/keys.md#where-keys-are-kept',
        },
      ],
    });
  });

  test('matches words ignoring accents, case and endings, in its own language', async () => {
    expect((await ask('PERMESSO attivita', 'it'))?.sources[0]?.path).toBe('docs/help/it/permessi.md#i-quattro-livelli');
    expect(await ask('permesso attivita', 'en')).toBeUndefined();
  });

  test('without enough matching words gets no answer', async () => {
    for (const question of ['zebra', 'giraffe', 'where is the', '   ', '!?', 'keys quantum banana tensor cooking']) {
      expect([question, await ask(question)]).toEqual([question, undefined]);
    }
  });

  test('gets at most 1,200 characters', async () => {
    await write({
      'en/long.md': `# Long\n\n## Llama\n\n${'llama words '.repeat(200)}\n\n## Alpaca\n\n${'alpaca and more. '.repeat(40)}\n\n${'alpaca again here. '.repeat(40)}\n`,
    });
    const [cut, whole] = [await ask('llama'), await ask('alpaca')];
    expect([cut?.text.length, cut?.text.at(-1)]).toEqual([1_200, '…']);
    expect(whole?.text).toMatch(/^Long — Alpaca\n\nalpaca and more\. .*more\.$/);
  });

  test('without pages gets no answer', async () => {
    expect(await createHelp({}).ask('keys', 'en')).toBeUndefined();
    expect(await createHelp({ helpDir: join(dir, 'nowhere') }).ask('keys', 'en')).toBeUndefined();
  });
});

test('splits a page at its headings and strips Markdown', () => {
  expect(
    sectionsOf('a.md', '# Title\n\nIntro *here*.\n\n## Perché no?\n\nOne\ntwo.\n1. three\n2. four\n\n## Empty\n'),
  ).toEqual([
    { title: 'Title', heading: 'Title', passages: ['Intro here.'], path: 'a.md' },
    { title: 'Title', heading: 'Perché no?', passages: ['One two.', 'three', 'four'], path: 'a.md#perché-no' },
  ]);
});
