import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createSaver, type SaveState } from './saver.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A saver whose saves the test completes. */
function fixture() {
  const saved: string[] = [];
  const states: SaveState[] = [];
  const ends: { done(): void; fail(): void }[] = [];
  const saver = createSaver<string>({
    save: (value) =>
      new Promise((done, fail) => {
        ends.push({
          done() {
            saved.push(value);
            done();
          },
          fail: () => fail(new Error('offline')),
        });
      }),
    onState: (state) => void states.push(state),
  });
  return { saver, saved, states, ends };
}

describe('autosave', () => {
  test('saves the latest text after a pause', async () => {
    const { saver, saved, states, ends } = fixture();
    saver.change('a');
    await jest.advanceTimersByTimeAsync(500);
    saver.change('ab');
    await jest.advanceTimersByTimeAsync(500);
    expect(ends).toHaveLength(0);
    await jest.advanceTimersByTimeAsync(100);
    ends[0]?.done();
    await jest.advanceTimersByTimeAsync(0);
    expect([saved, states.at(-1)]).toEqual([['ab'], 'saved']);
  });

  test('saves again after a running save, never in parallel', async () => {
    const { saver, saved, ends } = fixture();
    saver.change('a');
    await jest.advanceTimersByTimeAsync(600);
    saver.change('b');
    saver.change('c');
    await jest.advanceTimersByTimeAsync(2_000);
    expect(ends).toHaveLength(1);
    ends[0]?.done();
    await jest.advanceTimersByTimeAsync(0);
    ends[1]?.done();
    await jest.advanceTimersByTimeAsync(0);
    expect(saved).toEqual(['a', 'c']);
  });

  test('retries after a failure with the latest text', async () => {
    const { saver, saved, states, ends } = fixture();
    saver.change('a');
    await jest.advanceTimersByTimeAsync(600);
    ends[0]?.fail();
    await jest.advanceTimersByTimeAsync(0);
    expect(states.at(-1)).toBe('failed');
    await jest.advanceTimersByTimeAsync(5_000);
    expect(ends).toHaveLength(2);
    saver.change('ab');
    ends[1]?.fail();
    await jest.advanceTimersByTimeAsync(5_600);
    ends[2]?.done();
    await jest.advanceTimersByTimeAsync(0);
    expect([saved, states.at(-1)]).toEqual([['ab'], 'saved']);
  });

  test('saves at once on leaving and sends nothing without changes', async () => {
    const { saver, saved, ends } = fixture();
    await saver.flush();
    expect(ends).toHaveLength(0);
    saver.change('a');
    const left = saver.flush();
    ends[0]?.done();
    await left;
    expect(saved).toEqual(['a']);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(ends).toHaveLength(1);
  });
});
