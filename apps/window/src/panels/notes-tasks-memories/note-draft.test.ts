import { expect, test } from '@jest/globals';
import { fieldsOf } from './note-draft.ts';

test('a note without a title uses its first line without Markdown markers', () => {
  expect(fieldsOf({ title: ' ', content: '## Heat slowly\n\nthen cool' })?.title).toBe('Heat slowly');
  expect(fieldsOf({ title: '', content: '- one\n- two' })?.title).toBe('one');
  expect(fieldsOf({ title: '', content: '---\nx' })?.title).toBe('---');
  expect(fieldsOf({ title: '', content: 'x'.repeat(500) })?.title).toHaveLength(120);
});

test('sends nothing for an empty note and for one that is too long', () => {
  expect(fieldsOf({ title: 'Only a title', content: ' \n ' })).toBeUndefined();
  expect(fieldsOf({ title: 'Long', content: 'x'.repeat(8_001) })).toBeUndefined();
});
