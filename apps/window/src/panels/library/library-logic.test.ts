import { describe, expect, test } from '@jest/globals';
import type { LibraryItem } from '../../wire/library.ts';
import { kindOfItem, shownKind } from './item-kind.ts';
import {
  matching,
  NO_FILTER,
  NO_SELECTION,
  pruneSelection,
  rowAfterKey,
  selectAll,
  selectOnly,
  selectRange,
  toggled,
} from './listing.ts';

const item = (name: string, more: Partial<LibraryItem> = {}): LibraryItem => ({
  id: name,
  name,
  mediaType: 'text/plain',
  fileType: 'document',
  origin: 'uploaded',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  model: null,
  provider: null,
  folder: null,
  path: null,
  createdBy: null,
  session: null,
  ...more,
});
const namesOf = (items: readonly LibraryItem[]) => items.map(({ name }) => name);

describe('the library list', () => {
  const items = [
    item('Perché sì.md', { origin: 'generated' }),
    item('forge.png', { fileType: 'image', origin: 'generated' }),
    item('Forge costs.xlsx'),
  ];

  test('matches every search word ignoring case and accents', () => {
    expect(namesOf(matching(items, { ...NO_FILTER, text: ' PERCHE si' }))).toEqual(['Perché sì.md']);
    expect(namesOf(matching(items, { ...NO_FILTER, text: 'costs forge' }))).toEqual(['Forge costs.xlsx']);
    expect(matching(items, { ...NO_FILTER, text: 'absent' })).toEqual([]);
  });

  test('filters by kind and origin', () => {
    expect(namesOf(matching(items, { ...NO_FILTER, kind: 'image' }))).toEqual(['forge.png']);
    expect(namesOf(matching(items, { ...NO_FILTER, origin: 'uploaded' }))).toEqual(['Forge costs.xlsx']);
    expect(matching(items, { text: 'forge', kind: 'document', origin: 'generated' })).toEqual([]);
  });
});

describe('the selection', () => {
  const ids = ['a', 'b', 'c', 'd'];

  test('extends from its anchor in both directions', () => {
    expect([...selectRange(ids, selectOnly('c'), 'a').chosen]).toEqual(['a', 'b', 'c']);
    expect([...selectRange(ids, selectRange(ids, selectOnly('b'), 'd'), 'c').chosen]).toEqual(['b', 'c']);
    expect(selectRange(ids, NO_SELECTION, 'b')).toEqual(selectOnly('b'));
  });

  test('toggles single rows and selects all', () => {
    const two = toggled(selectOnly('a'), 'c');
    expect([...two.chosen]).toEqual(['a', 'c']);
    expect([...toggled(two, 'a').chosen]).toEqual(['c']);
    expect(selectAll(ids, two)).toMatchObject({ current: 'c', chosen: new Set(ids) });
  });

  test('drops removed rows and moves the focus to their successor', () => {
    const choice = selectRange(ids, selectOnly('b'), 'c');
    expect(pruneSelection(ids, ['a', 'b', 'd'], choice)).toEqual({ current: 'd', anchor: 'b', chosen: new Set(['b']) });
    expect(pruneSelection(ids, ['a'], choice)).toEqual({ current: 'a', anchor: undefined, chosen: new Set() });
    expect(pruneSelection(ids, [], choice).current).toBeUndefined();
    expect(pruneSelection(ids, ['x', ...ids], NO_SELECTION)).toEqual(NO_SELECTION);
  });

  test('moves by keyboard and stops at the ends', () => {
    expect(
      ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'].map((key) =>
        rowAfterKey(key, 4, { count: 10, page: 3 }),
      ),
    ).toEqual([5, 3, 7, 1, 0, 9]);
    expect([
      rowAfterKey('ArrowDown', 9, { count: 10, page: 3 }),
      rowAfterKey('ArrowUp', 0, { count: 10, page: 3 }),
      rowAfterKey('ArrowUp', -1, { count: 10, page: 3 }),
    ]).toEqual([9, 0, 9]);
    expect([rowAfterKey('x', 4, { count: 10, page: 3 }), rowAfterKey('Home', -1, { count: 0, page: 3 })]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the preview of an item', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  test('follows its declared type', () => {
    expect(kindOfItem(item('a', { mediaType: 'application/pdf' }))).toBe('pdf');
    expect(kindOfItem(item('a', { mediaType: 'application/octet-stream' }))).toBeUndefined();
  });

  test('uses the bytes when the type is missing, and never renders active content', () => {
    expect(shownKind('sum.ts', bytes('export {}'))).toBe('text');
    expect(shownKind('sum.ts', bytes('\0\0'))).toBe('binary');
    expect(shownKind('a.docx', bytes('PK'))).toBe('document');
    expect(shownKind('page.html', bytes('<script>'))).toBe('binary');
    expect(shownKind('a.pdf', bytes('%PDF-'))).toBe('binary');
  });
});
