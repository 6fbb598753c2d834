import { describe, expect, test } from '@jest/globals';
import type { LibraryItem } from '../../wire/library.ts';
import { kindOfItem, shownKind } from './item-kind.ts';
import { everything, kept, matching, NO_CHOICE, NO_FILTER, only, stepTo, through, toggled } from './listing.ts';

const item = (nome: string, more: Partial<LibraryItem> = {}): LibraryItem => ({
  id: nome,
  nome,
  mediaType: 'text/plain',
  fileType: 'document',
  origine: 'uploaded',
  creatoIl: '2026-01-01T00:00:00.000Z',
  aggiornatoIl: '2026-01-01T00:00:00.000Z',
  modello: null,
  provider: null,
  cartella: null,
  percorso: null,
  creatoDa: null,
  sessione: null,
  ...more,
});
const namesOf = (items: readonly LibraryItem[]) => items.map(({ nome }) => nome);

describe('the list', () => {
  const items = [
    item('Perché sì.md', { origine: 'generated' }),
    item('forge.png', { fileType: 'image', origine: 'generated' }),
    item('Forge costs.xlsx'),
  ];

  test('holds the names with every word of the search, whatever case and accents', () => {
    expect(namesOf(matching(items, { ...NO_FILTER, text: ' PERCHE si' }))).toEqual(['Perché sì.md']);
    expect(namesOf(matching(items, { ...NO_FILTER, text: 'costs forge' }))).toEqual(['Forge costs.xlsx']);
    expect(matching(items, { ...NO_FILTER, text: 'absent' })).toEqual([]);
  });

  test('holds one kind and one origin where asked', () => {
    expect(namesOf(matching(items, { ...NO_FILTER, kind: 'image' }))).toEqual(['forge.png']);
    expect(namesOf(matching(items, { ...NO_FILTER, origin: 'uploaded' }))).toEqual(['Forge costs.xlsx']);
    expect(matching(items, { text: 'forge', kind: 'document', origin: 'generated' })).toEqual([]);
  });
});

describe('a choice', () => {
  const ids = ['a', 'b', 'c', 'd'];

  test('reaches from where it began to a row, either way, and begins there when it had begun nowhere', () => {
    expect([...through(ids, only('c'), 'a').chosen]).toEqual(['a', 'b', 'c']);
    expect([...through(ids, through(ids, only('b'), 'd'), 'c').chosen]).toEqual(['b', 'c']);
    expect(through(ids, NO_CHOICE, 'b')).toEqual(only('b'));
  });

  test('takes rows in and lets them go one by one, or takes all', () => {
    const two = toggled(only('a'), 'c');
    expect([...two.chosen]).toEqual(['a', 'c']);
    expect([...toggled(two, 'a').chosen]).toEqual(['c']);
    expect(everything(ids, two)).toMatchObject({ current: 'c', chosen: new Set(ids) });
  });

  test('forgets rows that are gone; the keys then act on the one that took the place', () => {
    const choice = through(ids, only('b'), 'c');
    expect(kept(ids, ['a', 'b', 'd'], choice)).toEqual({ current: 'd', anchor: 'b', chosen: new Set(['b']) });
    expect(kept(ids, ['a'], choice)).toEqual({ current: 'a', anchor: undefined, chosen: new Set() });
    expect(kept(ids, [], choice).current).toBeUndefined();
    expect(kept(ids, ['x', ...ids], NO_CHOICE)).toEqual(NO_CHOICE);
  });

  test('moves by keys and stops at the ends', () => {
    expect(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) =>
        stepTo(key, 4, { count: 10, page: 3 }),
      ),
    ).toEqual([5, 3, 7, 1, 0, 9]);
    expect([
      stepTo('ArrowDown', 9, { count: 10, page: 3 }),
      stepTo('ArrowUp', 0, { count: 10, page: 3 }),
      stepTo('ArrowUp', -1, { count: 10, page: 3 }),
    ]).toEqual([9, 0, 9]);
    expect([stepTo('x', 4, { count: 10, page: 3 }), stepTo('Home', -1, { count: 0, page: 3 })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('what is shown of an item', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test('follows what it says it is', () => {
    expect(kindOfItem(item('a', { mediaType: 'application/pdf' }))).toBe('pdf');
    expect(kindOfItem(item('a', { mediaType: 'application/octet-stream' }))).toBeUndefined();
  });

  test('is told by its bytes where it says nothing, and never drawn as what only its address may draw', () => {
    expect(shownKind('sum.ts', bytes('export {}'))).toBe('text');
    expect(shownKind('sum.ts', bytes('\0\0'))).toBe('binary');
    expect(shownKind('a.docx', bytes('PK'))).toBe('document');
    expect(shownKind('page.html', bytes('<script>'))).toBe('binary');
    expect(shownKind('a.pdf', bytes('%PDF-'))).toBe('binary');
  });
});
