import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { createRowBlocks } from '../src/http/row-blocks.ts';

interface Row {
  id: number;
  name: string;
}

function rowsFixture() {
  const encoded: number[] = [];
  const id = z.codec(z.number(), z.number(), {
    decode: (value) => value,
    encode(value) {
      encoded.push(value);
      return value;
    },
  });
  const blocks = createRowBlocks(z.array(z.object({ id, name: z.string() })));
  return {
    encoded,
    blocks,
    textOf: (rows: readonly Row[]) => `[${Buffer.concat(blocks.of(rows)).toString().slice(1)}]`,
  };
}
const many = (): Row[] => Array.from({ length: 1_000 }, (_, id) => ({ id, name: `è ${id}` }));

test('rows are encoded once, and again only when they change', () => {
  const { encoded, textOf } = rowsFixture();
  const rows = many();
  expect(textOf(rows)).toBe(JSON.stringify(rows));
  expect(textOf([...rows])).toBe(JSON.stringify(rows));
  expect(encoded).toHaveLength(1_000);
  const changed = rows.map((row) => (row.id === 500 ? { ...row, name: 'new' } : row));
  expect(textOf(changed)).toBe(JSON.stringify(changed));
  expect(encoded.slice(1_000)).toEqual([500]);
});

test('a row that comes first leaves the bytes of the others where they are', () => {
  const { encoded, blocks, textOf } = rowsFixture();
  const rows = many();
  const before = blocks.of(rows);
  const more = [{ id: 1_000, name: 'first' }, ...rows];
  const after = blocks.of(more);
  expect(after.slice(-7)).toEqual(before.slice(-7));
  for (const [at, block] of before.slice(-7).entries()) expect(after.slice(-7)[at]).toBe(block);
  expect(encoded.slice(1_000)).toEqual([1_000]);
  expect(textOf(more)).toBe(JSON.stringify(more));
});

test('lists with rows in common keep their own order', () => {
  const { encoded, textOf } = rowsFixture();
  const rows = many();
  const some = rows.filter(({ id }) => id % 3 === 0).reverse();
  for (const list of [rows, some, rows, [], some.slice(1)]) expect(textOf(list)).toBe(JSON.stringify(list));
  expect(encoded).toHaveLength(1_000);
});
