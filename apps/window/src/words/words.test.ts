import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { en as enFirst } from './en.ts';
import { it as itFirst } from './it.ts';
import { enMore } from './more-en.ts';
import { itMore } from './more-it.ts';

const en = { ...enFirst, ...enMore };
const it = { ...itFirst, ...itMore };
const source = join(import.meta.dirname, '..');

const namesIn = (text: string): string =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)]
    .map(([, name = '']) => name)
    .toSorted((one, other) => one.localeCompare(other))
    .join();
const keys = Object.keys(en) as (keyof typeof en)[];

describe('message catalogs', () => {
  test('have the same keys', () => {
    expect(Object.keys(it).sort()).toEqual([...keys].sort());
  });

  test('have the same placeholders in each language', () => {
    // In Italian "one" may be a word instead of a number.
    const different = keys.filter((key) => key !== 'diff.more_one' && namesIn(en[key]) !== namesIn(it[key]));
    expect(different).toEqual([]);
  });

  test('have singular and plural of every count', () => {
    const one = keys.filter((key) => key.endsWith('_one')).map((key) => key.slice(0, -4));
    const other = keys.filter((key) => key.endsWith('_other')).map((key) => key.slice(0, -6));
    expect(one).toEqual(other);
  });

  test('have no empty entry', () => {
    expect(keys.filter((key) => en[key].trim() === '' || it[key].trim() === '')).toEqual([]);
  });
});

/** The sources of the first load. */
function firstLoad(file = join(source, 'main.tsx'), seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, 'utf8');
  seen.set(file, text);
  for (const [, path = ''] of text.matchAll(/^import (?!type\b)[^;]*?'(\.[^']+\.tsx?)'/gm)) {
    firstLoad(join(dirname(file), path), seen);
  }
  return seen;
}

describe('lazily loaded catalogs', () => {
  test('are not used in the first load', () => {
    const later = new Set(Object.keys(enMore).map((key) => key.replace(/_(one|other)$/, '')));
    const said = [...firstLoad()].flatMap(([file, text]) =>
      [...text.matchAll(/'([\w-]+(?:\.[\w -]+)+)'/g)].flatMap(([, key = '']) =>
        later.has(key) ? [`${relative(source, file)} ${key}`] : [],
      ),
    );
    expect(said).toEqual([]);
  });

  test('have no key in common', () => {
    expect(Object.keys(enMore).filter((key) => key in enFirst)).toEqual([]);
  });
});
