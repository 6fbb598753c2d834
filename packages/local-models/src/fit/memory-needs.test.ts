import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TinyModelOptions, tempDir, tinyModel } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import type { ModelHeader } from './header.ts';
import { readHeaderFile } from './header-file.ts';
import { estimatedBytes, memoryNeeds } from './memory-needs.ts';

const run = promisify(execFile);
const script = join(import.meta.dirname, '../../test/allocations.mjs');

async function headerOf(path: string): Promise<ModelHeader> {
  const answer = await readHeaderFile(path, undefined);
  if ('header' in answer) return answer.header;
  throw new Error(answer.problem);
}

describe('the memory need of a model', () => {
  test.each<[string, TinyModelOptions['size'], number]>([
    ['the tiny one', undefined, 1_024],
    ['the tiny one, long', undefined, 32_768],
    ['a wide one', { layers: 2, embedding: 512, feedForward: 2_048, words: 8_000 }, 8_192],
    ['one of many words', { layers: 2, embedding: 256, feedForward: 512, words: 32_000 }, 4_096],
    ['one of many layers', { layers: 8, embedding: 256, feedForward: 1_024, words: 500 }, 16_384],
  ])('matches the engine’s allocation within fifteen percent: %s', async (_name, size, contextTokens) => {
    await using dir = await tempDir();
    const path = join(dir.path, 'model.gguf');
    const bytes = tinyModel({ contextLength: 131_072, ...(size && { size }) });
    writeFileSync(path, bytes);
    const { stdout } = await run(process.execPath, [script, path, String(contextTokens)]);
    const real = JSON.parse(stdout) as Record<'weights' | 'cache' | 'compute', number>;
    const needs = memoryNeeds(await headerOf(path), bytes.length, contextTokens);
    if (!needs) throw new Error('not known');
    expect(needs.cache / real.cache).toBeCloseTo(1, 1);
    const ratio = (needs.weights + needs.cache + needs.compute) / (real.weights + real.cache + real.compute);
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.15);
  });

  test('is smaller with sliding-window layers and unknown for other attention types', async () => {
    await using dir = await tempDir();
    const path = join(dir.path, 'model.gguf');
    writeFileSync(path, tinyModel({ size: { layers: 2, embedding: 64, feedForward: 64, words: 0 } }));
    const header = await headerOf(path);
    const all = memoryNeeds(header, 0, 65_536)?.cache ?? 0;
    const window = { tokens: 1_024, layers: [true, false] };
    expect(memoryNeeds({ ...header, window }, 0, 65_536)?.cache).toBe(all / 2 + (all / 2) * (1_536 / 65_536));
    expect(memoryNeeds({ ...header, cacheElements: null }, 0, 4_096)).toBeNull();
  });

  test('is estimated from the file size and grows with the context', () => {
    const file = 4.7e9;
    const [short, long] = [estimatedBytes(file, 4_096), estimatedBytes(file, 65_536)];
    expect(short).toBeGreaterThan(file);
    expect(short).toBeLessThan(file * 1.4);
    expect(long - short).toBeGreaterThan(7e9);
    expect(long - short).toBeLessThan(10e9);
  });
});
