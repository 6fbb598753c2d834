import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conflicts, duration, minutesByPerson, overlaps, uncovered } from '../src/shifts.js';

const at = (hour, minute = 0) => hour * 60 + minute;
const shift = (person, start, end) => ({ person, start: at(start), end: at(end) });

describe('by day', () => {
  test('a shift lasts from its start to its end', () => {
    assert.equal(duration(shift('Ada', 8, 14)), 6 * 60);
  });

  test('shifts that only touch do not overlap', () => {
    assert.equal(overlaps(shift('Ada', 8, 12), shift('Ada', 12, 16)), false);
  });

  test('only shifts of one person are in conflict', () => {
    const [a, b, c] = [shift('Ada', 8, 12), shift('Ada', 11, 13), shift('Bruno', 9, 10)];
    assert.deepEqual(conflicts([a, b, c]), [[a, b]]);
  });

  test('gaps are told in order', () => {
    assert.deepEqual(uncovered([shift('Bruno', 14, 24), shift('Ada', 6, 12)]), [
      { start: 0, end: at(6) },
      { start: at(12), end: at(14) },
    ]);
  });
});

describe('over midnight', () => {
  const night = shift('Ada', 22, 6);

  test('a night shift lasts until the next morning', () => {
    assert.equal(duration(night), 8 * 60);
  });

  test('hours per person count the night', () => {
    assert.equal(minutesByPerson([night, shift('Ada', 8, 10)]).get('Ada'), 10 * 60);
  });

  test('a night shift overlaps an early one', () => {
    assert.equal(overlaps(night, shift('Ada', 5, 9)), true);
    assert.equal(overlaps(shift('Ada', 6, 9), night), false);
  });

  test('the night covers the beginning of the day', () => {
    assert.deepEqual(uncovered([night, shift('Bruno', 8, 22)]), [{ start: at(6), end: at(8) }]);
  });
});
