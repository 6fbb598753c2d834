import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCsv, parseRecords } from '../src/csv.js';

test('plain rows are cut at commas', () => {
  assert.deepEqual(parseCsv('a,b\nc,d\n'), [
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test('both kinds of line end are known, and the last one may be missing', () => {
  assert.deepEqual(parseCsv('a\r\nb'), [['a'], ['b']]);
});

test('empty fields are kept', () => {
  assert.deepEqual(parseCsv(',a,\n'), [['', 'a', '']]);
});

test('a quoted field may hold a comma', () => {
  assert.deepEqual(parseCsv('"Rossi, Anna",Roma\n'), [['Rossi, Anna', 'Roma']]);
});

test('a quoted field may hold a line break', () => {
  assert.deepEqual(parseCsv('"two\nlines",x\ny,z'), [
    ['two\nlines', 'x'],
    ['y', 'z'],
  ]);
});

test('two quotes inside a quoted field are one', () => {
  assert.deepEqual(parseCsv('"she said ""yes""",1'), [['she said "yes"', '1']]);
});

test('an empty quoted field is an empty field', () => {
  assert.deepEqual(parseCsv('"",x'), [['', 'x']]);
});

test('a quote that is never closed names its row', () => {
  assert.throws(() => parseCsv('a,b\nc,"d\n'), /row 2/);
});

test('records take their names from the first row', () => {
  assert.deepEqual(parseRecords('name,city\n"Rossi, Anna",Roma\n'), [{ name: 'Rossi, Anna', city: 'Roma' }]);
});
