import { describe, expect, test } from '@jest/globals';
import { parseFrontMatter } from './front-matter.ts';

describe('front matter', () => {
  test('reads fields, lists and the body', () => {
    const text = `---\r\nname: "a: b"\r\ntools: Read, Grep\r\nlist: ['x', "y"]\r\nlong: >\r\n  one\r\n  two\r\n---\r\nBody.\r\n`;
    const { field, list, body } = parseFrontMatter(text);
    expect([field('name'), field('long'), field('none')]).toEqual(['a: b', 'one two', undefined]);
    expect([list('tools'), list('list'), list('none')]).toEqual([['Read', 'Grep'], ['x', 'y'], []]);
    expect(body).toBe('Body.\r\n');
  });

  test('is absent without both lines of dashes', () => {
    expect(parseFrontMatter('---\nname: a\n').body).toBe('---\nname: a\n');
    expect(parseFrontMatter('name: a').field('name')).toBeUndefined();
    expect(parseFrontMatter('---\n---\nBody').body).toBe('Body');
  });

  test('has the place of each value in the file, and the beginning for one that is missing', () => {
    const text = '\uFEFF---\r\nname:   "x"\r\ntools:\r\n  - Read\r\nempty: \r\n---\r\nBody.';
    const { placeOf } = parseFrontMatter(text);
    expect(['name', 'tools', 'empty', 'none', 'nam'].map(placeOf)).toEqual([
      { line: 2, column: 9 },
      { line: 3, column: 7 },
      { line: 5, column: 8 },
      { line: 1, column: 1 },
      { line: 1, column: 1 },
    ]);
  });

  test('without an end is known from a text that begins with a line', () => {
    const isUnclosed = (text: string): boolean => parseFrontMatter(text).isUnclosed;
    expect(isUnclosed('---\nname: a\n')).toBe(true);
    expect(isUnclosed('\uFEFF--- \r\nname: a\n-- -\nBody')).toBe(true);
    for (const text of ['---\nname: a\n---', '---\nSome text: x', 'name: a\n---', '---', ''])
      expect([text, isUnclosed(text)]).toEqual([text, false]);
  });

  test('of a long hostile file is read in linear time', () => {
    // Of the processor: the clock also counts while others have it.
    const before = process.cpuUsage();
    parseFrontMatter(`---\n${'-\n'.repeat(200_000)}`);
    parseFrontMatter(`---\na:${' '.repeat(200_000)}x\n---\n`).field('a');
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(1_000);
  });
});
