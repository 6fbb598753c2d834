import { expect, test } from '@jest/globals';
import { editProblems, NEW_PROBLEMS } from './edit-problems.ts';

test('reads the problems of an edit from the result of its call', () => {
  const lines = ['a.ts:1:2 error TS1: Wrong.', 'and 3 more'];
  expect(editProblems(`Edited a.ts.\n\n${NEW_PROBLEMS}\n${lines.join('\n')}`)).toEqual(lines);
  expect(editProblems('Edited a.ts.')).toEqual([]);
});
