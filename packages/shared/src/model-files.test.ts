import { describe, expect, test } from '@jest/globals';
import { choicesOf, idOf, manifestOf } from './model-files.ts';

const file = (path: string, sizeBytes = 10, security: string | null = 'safe') => ({
  path,
  sizeBytes,
  sha256: 'a'.repeat(64),
  security,
});

describe('downloadable files of a repository', () => {
  test('are single files or the parts of a split one', () => {
    const choices = choicesOf([
      file('big-Q8_0-00002-of-00002.gguf', 30),
      file('big-Q8_0-00001-of-00002.gguf', 30),
      file('sub/small.Q4_K_M.gguf', 5),
      file('half-IQ2_XS-00001-of-00003.gguf', 8),
      file('odd.gguf', 7, 'unsafe'),
    ]);
    expect(
      choices.map(({ name, bytes, quantization, isPartial, isSuspect }) => [
        name,
        bytes,
        quantization,
        isPartial,
        isSuspect,
      ]),
    ).toEqual([
      ['sub/small.Q4_K_M', 5, 'Q4_K_M', false, false],
      ['odd', 7, undefined, false, true],
      ['half-IQ2_XS', 8, 'IQ2_XS', true, false],
      ['big-Q8_0', 60, 'Q8_0', false, false],
    ]);
    expect(choices.at(-1)?.files[0]?.path).toBe('big-Q8_0-00001-of-00002.gguf');
  });

  test('become a manifest whose id contains the owner', () => {
    const [choice] = choicesOf([file('sub/Small Model.Q4_K_M.gguf', 5)]);
    const repository = { repo: 'Maker/x', revision: 'b'.repeat(40), license: null };
    expect(choice && manifestOf(repository, choice)).toMatchObject({
      id: 'maker.small-model.q4_k_m',
      name: 'Small Model.Q4_K_M',
      license: 'unknown',
      bytes: 5,
      path: 'sub/Small Model.Q4_K_M.gguf',
    });
  });

  test.each([
    ['Però È', 'pero-e'],
    ['..x..', 'x'],
    ['日本', 'model'],
    ['a'.repeat(300), 'a'.repeat(128)],
  ])('%s becomes an id', (text, id) => {
    expect(idOf(text).replace(/-+/g, '-')).toBe(id);
  });
});
