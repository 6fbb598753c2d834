import { expect, test } from '@jest/globals';
import { fieldsOf } from './note-draft.ts';

test('a note without a title is called by its first line, without the marks of a heading or a list', () => {
  expect(fieldsOf({ title: ' ', content: '## Heat slowly\n\nthen cool' })?.titolo).toBe('Heat slowly');
  expect(fieldsOf({ title: '', content: '- one\n- two' })?.titolo).toBe('one');
  expect(fieldsOf({ title: '', content: '---\nx' })?.titolo).toBe('---');
  expect(fieldsOf({ title: '', content: 'x'.repeat(500) })?.titolo).toHaveLength(120);
});

test('nothing is sent for an empty note, nor for one that is too long to be kept', () => {
  expect(fieldsOf({ title: 'Only a title', content: ' \n ' })).toBeUndefined();
  expect(fieldsOf({ title: 'Long', content: 'x'.repeat(8_001) })).toBeUndefined();
});
