import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import { createHarness, type Harness } from '../test/harness.ts';

const CANARY = 'sk-canary/4f1c+9d2e=77aa';
const SPELLINGS = [
  CANARY,
  encodeURIComponent(CANARY),
  Buffer.from(CANARY).toString('base64').replace(/=+$/, ''),
  Buffer.from(CANARY).toString('hex'),
];
const MODELS = {
  deepseek: 'deepseek:m',
  openai: 'openai:gpt-6-sol',
  'minimax-anthropic': 'minimax-anthropic:m',
  gemini: 'gemini:gemini-2.5-pro',
};

/** The provider echoes the key wherever it can. */
const FAULTS: Fault[] = [
  ...[400, 401, 402, 403, 404, 429, 500, 529].map(
    (status): Fault => ({ kind: 'status', status, message: `bad key ${CANARY}` }),
  ),
  { kind: 'refuse' },
  { kind: 'cut' },
  { kind: 'broken-json' },
  { kind: 'html' },
  { kind: 'redirect', location: 'http://127.0.0.2:1/' },
  { kind: 'huge-headers' },
];

describe('a provider key', () => {
  test('never appears in answers, rows, errors, logs or files', async () => {
    await using harness = await createHarness({ script: () => ({ text: ['a', 'b'], fault: FAULTS[at] as Fault }) });
    let at = 0;
    const seen: unknown[] = [];
    for (const provider of Object.keys(MODELS)) await harness.connect(provider, CANARY);
    for (at = 0; at < FAULTS.length; at++) {
      for (const model of Object.values(MODELS)) seen.push(await harness.ask(model));
    }
    seen.push(await everythingReadable(harness));
    const text = [JSON.stringify(seen), harness.ambient.lines.join('\n'), await files(harness.dataDir)].join('\n');
    for (const spelling of SPELLINGS) expect(text).not.toContain(spelling);
    expect(harness.server.requests).toHaveLength(FAULTS.length * 4);
    expect(harness.server.lists).toHaveLength(3);
  });

  test('is masked when other code logs it', async () => {
    await using harness = await createHarness();
    await harness.connect('deepseek', CANARY);
    harness.ambient.log.info('careless', { header: `Bearer ${CANARY}` });
    expect(harness.ambient.lines.at(-1)).not.toContain(CANARY);
  });

  test('is not sent along a redirect', async () => {
    await using thief = await createHarness();
    await using harness = await createHarness({
      script: () => ({ fault: { kind: 'redirect', location: `${thief.server.url}/v1/chat/completions` } }),
    });
    for (const [provider, model] of Object.entries(MODELS)) {
      await harness.connect(provider, CANARY);
      await harness.ask(model);
    }
    expect(thief.server.requests).toHaveLength(0);
  });
});

async function everythingReadable({ providers }: Harness): Promise<unknown> {
  const errors: unknown[] = [];
  const note = (error: unknown): void =>
    void errors.push(String(error), error, (error as Error).stack, (error as Error).cause);
  await providers.keys.add('deepseek', { key: `${CANARY}\n${CANARY}` }).catch(note);
  await providers.keys.remove('deepseek', CANARY).catch(note);
  await providers.catalog.list('openai').catch(note);
  await providers.search.saveKey('tavily', `${CANARY}\n`).catch(note);
  await providers.search.saveKey('tavily', `${CANARY}\n${CANARY}`).catch(note);
  return [
    await providers.registry.list(),
    await providers.keys.list('deepseek'),
    await providers.test('deepseek'),
    await providers.test('minimax-anthropic'),
    providers.runtime.get('deepseek'),
    await providers.search.view(),
    errors,
  ];
}

async function files(folder: string): Promise<string> {
  const names = await readdir(folder);
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))).join('\n');
}
