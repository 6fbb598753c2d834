import { describe, expect, test } from '@jest/globals';
import { filePage, isFile, parseFileReference } from './file-reference.ts';

describe('a file reference', () => {
  test('is recognized with its line in common forms', () => {
    expect(parseFileReference('src/a.ts:12')).toEqual({ path: 'src/a.ts', line: 12 });
    expect(parseFileReference('./src/a b.ts:12:4')).toEqual({ path: 'src/a b.ts', line: 12 });
    expect(parseFileReference('src/a.ts#L3-L9')).toEqual({ path: 'src/a.ts', line: 3 });
    expect(parseFileReference('README.md')).toEqual({ path: 'README.md', line: undefined });
    for (const none of ['../x.ts', 'https://a.b/c.ts', '/etc/passwd', 'a/../b.ts', '']) {
      expect([none, parseFileReference(none)]).toEqual([none, undefined]);
    }
  });

  test('is not found in code that looks similar', () => {
    expect(['src/a.ts', 'a.ts:3', './b/c.json', 'src/a.ts#L2'].filter(isFile)).toHaveLength(4);
    expect(['a.ts', 'list.length', 'npm run x/y', '/etc', 'a/b', 'v1.2/3'].filter(isFile)).toEqual([]);
  });

  test('has an address', () => {
    expect(filePage('s1', { path: 'a b/c.ts', line: 4 })).toBe('/sessions/s1/files?file=a+b%2Fc.ts&line=4');
    expect(filePage('s1', { path: 'c.ts', line: undefined })).toBe('/sessions/s1/files?file=c.ts');
  });
});
