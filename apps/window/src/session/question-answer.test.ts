import type { Question } from '@fucina/conversation';
import { describe, expect, test } from '@jest/globals';
import { bodyOf, draftFor, pickFreeText, pickOption } from './question-answer.ts';

const one: Question = {
  id: 'store',
  question: 'Which store?',
  why: '',
  options: [{ label: 'SQLite', recommended: true }, { label: 'A file' }],
};
const many: Question = {
  id: 'targets',
  question: 'Which targets?',
  why: '',
  options: [{ label: 'Linux' }, { label: 'macOS' }],
  multiSelect: true,
};
const open: Question = { id: 'name', question: 'Which name?', why: '' };

describe('an answer to questions', () => {
  test('starts with the recommended option', () => {
    expect(bodyOf([one], {})).toEqual({ status: 'answered', answers: { store: 'SQLite' } });
  });

  test('is incomplete until every question is answered or skipped', () => {
    expect(bodyOf([one, many], {})).toBeUndefined();
    const drafts = { targets: { ...draftFor(many), isSkipped: true } };
    expect(bodyOf([one, many], drafts)).toEqual({
      status: 'answered',
      answers: { store: 'SQLite' },
      skipped: ['targets'],
    });
  });

  test('combines several options with free text where allowed', () => {
    let draft = pickOption(many, draftFor(many), 'Linux');
    draft = pickOption(many, draft, 'macOS');
    draft = { ...pickFreeText(many, draft), free: ' Windows ' };
    expect(bodyOf([many], { targets: draft })?.answers).toEqual({ targets: ['Linux', 'macOS', 'Windows'] });
    expect(bodyOf([many], { targets: pickOption(many, draft, 'Linux') })?.answers).toEqual({
      targets: ['macOS', 'Windows'],
    });
  });

  test('replaces the option with free text where one answer is allowed', () => {
    const draft = { ...pickFreeText(one, draftFor(one)), free: 'Neither' };
    expect(bodyOf([one], { store: draft })?.answers).toEqual({ store: 'Neither' });
    expect(bodyOf([one], { store: { ...draft, free: '  ' } })).toBeUndefined();
    expect(bodyOf([open], { name: { ...draftFor(open), free: 'Ada' } })?.answers).toEqual({ name: 'Ada' });
  });

  test('includes notes, and skips the card when everything is skipped', () => {
    const draft = { ...draftFor(one), note: ' soon ' };
    expect(bodyOf([one], { store: draft })?.notes).toEqual({ store: 'soon' });
    expect(bodyOf([one], { store: { ...draft, isSkipped: true } })).toEqual({ status: 'skipped' });
  });
});
