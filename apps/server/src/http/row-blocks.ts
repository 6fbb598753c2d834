import * as z from 'zod';

/**
 * Long lists as bytes: a row is encoded once per object, and a block of rows is rebuilt only when one of its rows
 * changed.
 */
export interface RowBlocks {
  /** The rows as JSON, each after a comma. */
  of(rows: readonly object[]): Buffer[];
}

interface Block {
  rows: readonly object[];
  bytes: Buffer;
}

const ROWS = 128;

/** `schema` is of a list: one codec for the new rows of a block, since one for each takes much longer. */
export function createRowBlocks(schema: z.ZodType): RowBlocks {
  /** Slices of the block that contains the row: no bytes are stored twice. */
  const bytesOf = new WeakMap<object, Buffer>();
  const blockEndingWith = new WeakMap<object, Block>();

  const makeBlock = (rows: readonly object[]): Block => {
    const encoded = z.encode(schema, rows.filter((row) => !bytesOf.has(row)) as never) as object[];
    let at = 0;
    const parts = rows.map((row) => bytesOf.get(row) ?? Buffer.from(`,${JSON.stringify(encoded[at++])}`));
    const bytes = Buffer.concat(parts);
    let end = 0;
    for (const [at, row] of rows.entries()) {
      const start = end;
      end += parts[at]?.length ?? 0;
      bytesOf.set(row, bytes.subarray(start, end));
    }
    return { rows, bytes };
  };

  return {
    of(rows) {
      const found: Buffer[] = [];
      // Counted from the end: new rows come first and leave later blocks unchanged.
      for (let end = rows.length; end > 0; end -= ROWS) {
        const start = Math.max(0, end - ROWS);
        const last = rows[end - 1] as object;
        const known = blockEndingWith.get(last);
        const isSame = known?.rows.length === end - start && known.rows.every((row, at) => row === rows[start + at]);
        const block = isSame ? known : makeBlock(rows.slice(start, end));
        blockEndingWith.set(last, block);
        found.push(block.bytes);
      }
      return found.reverse();
    },
  };
}
