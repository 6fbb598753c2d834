import { describe, expect, it } from '@jest/globals';
import { ERROR_CODES } from '../codes.ts';
import { DOCTOR_FINDINGS, doctorWords, TITLES } from './doctor.ts';
import { EN } from './en.ts';
import { type Language, sentencesFor } from './index.ts';
import { IT } from './it.ts';
import { PROBE_DETAILS, probeWords } from './probe.ts';

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

describe.each(WORDS)('error sentences in language "%s"', (language, words) => {
  it('have title, explanation and action for every code', () => {
    expect(Object.keys(words).sort()).toEqual([...ERROR_CODES].sort());
    expect(
      breaking((code) => words[code].length !== 3 || words[code].some((part) => part.trim() !== part || !part)),
    ).toEqual([]);
  });

  it('have short titles without a full stop', () => {
    expect(breaking((code) => [...words[code][0]].length > MAX_TITLE || words[code][0].endsWith('.'))).toEqual([]);
  });

  it('end explanation and action with a full stop, and the action is one sentence', () => {
    expect(breaking((code) => !words[code][1].endsWith('.') || !/^[^.]+\.$/.test(words[code][2]))).toEqual([]);
  });

  it('contain no error code', () => {
    expect(breaking((code) => words[code].some((part) => part.includes(code) || SNAKE_WORD.test(part)))).toEqual([]);
  });

  it('use typographic apostrophes', () => {
    expect(breaking((code) => words[code].some((part) => part.includes("'")))).toEqual([]);
  });

  it('are returned as message, title, explanation and action', () => {
    const [title, explanation, action] = words.FILE_NOT_FOUND;
    expect(sentencesFor('FILE_NOT_FOUND', language)).toEqual({ message: explanation, title, explanation, action });
  });
});

describe('both languages', () => {
  it('explain every error in their own words', () => {
    expect(breaking((code) => IT[code][1] === EN[code][1] || IT[code][2] === EN[code][2])).toEqual([]);
  });
});

describe.each(LANGUAGES)('doctor sentences in language "%s"', (language) => {
  it('have a title for every line', () => {
    for (const id of Object.keys(TITLES)) {
      const { title } = doctorWords({ id, finding: 'check-failed' }, language);
      expect(title).not.toBe(id);
      expect(title).toMatch(/\S/);
    }
  });

  it('have a sentence for every finding and an action where useful', () => {
    for (const [key, [, action]] of Object.entries(DOCTOR_FINDINGS)) {
      const [id = '', finding = key] = key.split('.');
      const words = doctorWords({ id, finding, params: { version: 'git version 2.39' } }, language);
      expect(words.detail).not.toBe(finding);
      expect(words.detail).toMatch(/\S/);
      expect(words.action === null).toBe(action === undefined);
      if (action) expect(words.action).toMatch(/\S\.$/);
    }
  });

  it('insert the values into the sentence', () => {
    const { detail } = doctorWords({ id: 'free-space', finding: 'low', params: { gigabytes: 3 } }, language);
    expect(detail).toContain('3 GB');
    expect(detail).not.toMatch(/[{}]/);
    const reason = 'bwrap: setting up uid map: Permission denied';
    expect(doctorWords({ id: 'sandbox', finding: 'refused', params: { reason } }, language).detail).toContain(reason);
  });

  it('have a sentence for every result of a provider test', () => {
    for (const detail of Object.keys(PROBE_DETAILS)) {
      expect(probeWords(detail, language)).not.toBe(detail);
      expect(probeWords(detail, language)).toMatch(/\S\.$/);
    }
  });
});
