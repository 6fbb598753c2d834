import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../codes.ts';
import { doctorWords, FINDINGS, TITLES } from './doctor.ts';
import { EN } from './en.ts';
import { type Language, sentencesFor } from './index.ts';
import { IT } from './it.ts';
import { DETAILS, probeWords } from './probe.ts';

const WORDS = [
  ['it', IT],
  ['en', EN],
] as const;

const LANGUAGES: readonly Language[] = ['it', 'en'];
const MAX_TITLE = 50;
const SNAKE_WORD = /\w_\w/;

/** The codes that break a rule, so that a failure names them. */
function breaking(breaks: (code: (typeof ERROR_CODES)[number]) => boolean): string[] {
  return ERROR_CODES.filter(breaks);
}

describe.each(WORDS)('The sentences of the errors in language "%s"', (language, words) => {
  it('say title, explanation and action of every code and of no other', () => {
    expect(Object.keys(words).sort()).toEqual([...ERROR_CODES].sort());
    expect(
      breaking((code) => words[code].length !== 3 || words[code].some((part) => part.trim() !== part || !part)),
    ).toEqual([]);
  });

  it('have short titles without a full stop', () => {
    expect(breaking((code) => [...words[code][0]].length > MAX_TITLE || words[code][0].endsWith('.'))).toEqual([]);
  });

  it('end explanation and action with a full stop, the action being one sentence', () => {
    expect(breaking((code) => !words[code][1].endsWith('.') || !/^[^.]+\.$/.test(words[code][2]))).toEqual([]);
  });

  it('show a person no name of a code and nothing written like one', () => {
    expect(breaking((code) => words[code].some((part) => part.includes(code) || SNAKE_WORD.test(part)))).toEqual([]);
  });

  it('use typographic apostrophes', () => {
    expect(breaking((code) => words[code].some((part) => part.includes("'")))).toEqual([]);
  });

  it('come out as message, title, explanation and action', () => {
    const [title, explanation, action] = words.FILE_NOT_FOUND;
    expect(sentencesFor('FILE_NOT_FOUND', language)).toEqual({ message: explanation, title, explanation, action });
  });
});

describe('The two languages', () => {
  it('explain every error in their own words', () => {
    expect(breaking((code) => IT[code][1] === EN[code][1] || IT[code][2] === EN[code][2])).toEqual([]);
  });
});

describe.each(LANGUAGES)('The readiness report in language "%s"', (language) => {
  it('has a title for every line', () => {
    for (const id of Object.keys(TITLES)) {
      const { title } = doctorWords({ id, finding: 'check-failed' }, language);
      expect(title).not.toBe(id);
      expect(title).toMatch(/\S/);
    }
  });

  it('has a sentence for every finding, and an action where one helps', () => {
    for (const [key, [, action]] of Object.entries(FINDINGS)) {
      const [id = '', finding = key] = key.split('.');
      const words = doctorWords({ id, finding, params: { version: 'git version 2.39' } }, language);
      expect(words.detail).not.toBe(finding);
      expect(words.detail).toMatch(/\S/);
      expect(words.action === null).toBe(action === undefined);
      if (action) expect(words.action).toMatch(/\S\.$/);
    }
  });

  it('puts the facts into the sentence', () => {
    const { detail } = doctorWords({ id: 'free-space', finding: 'low', params: { gigabytes: 3 } }, language);
    expect(detail).toContain('3 GB');
    expect(detail).not.toMatch(/[{}]/);
  });

  it('has a sentence for every result of a provider’s test', () => {
    for (const detail of Object.keys(DETAILS)) {
      expect(probeWords(detail, language)).not.toBe(detail);
      expect(probeWords(detail, language)).toMatch(/\S\.$/);
    }
  });
});
