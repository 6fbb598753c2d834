import { describe, expect, test } from '@jest/globals';
import { lineBatches, MAX_LINE } from './outbound-body.ts';

describe('lines of a body', () => {
  async function batches(...chunks: (string | Uint8Array)[]): Promise<string[][]> {
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    }
    const all: string[][] = [];
    for await (const batch of lineBatches(body(), 'http://x')) all.push(batch);
    return all;
  }

  test('arrive as one array per read', async () => {
    expect(await batches('a\nb\nc', 'd\n', 'e', '\n\n', 'last')).toEqual([['a', 'b'], ['cd'], ['e', ''], ['last']]);
  });

  test('end with any of three line endings, even a split one', async () => {
    expect(await batches('a\r', '\nb\rc\r\nd\n')).toEqual([['a', 'b', 'c', 'd']]);
    expect(await batches('a\r', 'b\r\n')).toEqual([['a', 'b']]);
  });

  test('keep a character split between two reads', async () => {
    const bytes = Buffer.from('è\n');
    expect(await batches(bytes.subarray(0, 1), bytes.subarray(1))).toEqual([['è']]);
  });

  test('fail above the length limit', async () => {
    await expect(batches('a'.repeat(MAX_LINE), 'bb')).rejects.toMatchObject({ problem: 'too-large' });
  });
});
