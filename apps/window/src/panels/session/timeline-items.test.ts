import type { Item } from '@fucina/conversation';
import { describe, expect, test } from '@jest/globals';
import { timelineItems } from './timeline-items.ts';

let keys = 0;
const row = (kind: string, turn = 1): Item => ({ kind, key: `k${++keys}`, turn }) as Item;
const read = (fields: Record<string, unknown> = {}, outcome: Record<string, unknown> = {}) => {
  const facts = {
    name: 'leggi',
    changes: [],
    outcome: { isFailed: false, isInterrupted: false, images: [], media: [], ...outcome },
  };
  return { ...row('tool'), ...facts, ...fields } as Item;
};

describe('rows of a conversation', () => {
  test('join reads that follow one another', () => {
    const [text, end] = [row('text'), row('end')];
    const reads = [read(), read(), read()];
    const rows = timelineItems([text, ...reads, end]);
    expect(rows).toEqual([text, { kind: 'reads', key: reads[0]?.key, turn: 1, calls: reads }, end]);
  });

  test('keep one read, and reads with something between them, apart', () => {
    const items = [read(), row('text'), read(), row('tool'), read()];
    expect(timelineItems(items)).toEqual(items);
  });

  test.each([
    ['that runs', read({ outcome: undefined })],
    ['that failed', read({}, { isFailed: true })],
    ['that was interrupted', read({}, { isInterrupted: true })],
    ['with a picture', read({}, { images: [{ id: 'p', name: undefined }] })],
    ['with a changed file', read({ changes: [{ path: 'AGENTS.md' }] })],
    ['of another turn', read({ turn: 2 })],
    ['of another tool', read({ name: 'cerca' })],
  ])('keep a call %s out of a group', (_, other) => {
    const [one, two] = [read(), read()];
    expect(timelineItems([one, two, other]).map(({ kind }) => kind)).toEqual(['reads', 'tool']);
  });

  test('skip what other rows show', () => {
    expect(timelineItems([row('undo'), read(), row('resumed'), read()])).toMatchObject([{ kind: 'reads' }]);
  });

  test('are the same values while their calls are', () => {
    const reads = [read(), read()];
    const [first] = timelineItems(reads);
    expect(timelineItems([...reads, row('text')])[0]).toBe(first);
    const [grown] = timelineItems([...reads, read()]);
    expect(grown).toMatchObject({ key: reads[0]?.key, calls: { length: 3 } });
  });
});
