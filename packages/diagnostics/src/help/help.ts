import { join } from 'node:path';
import { textStart } from '@fucina/shared';
import { type HelpSection, readPages } from './pages.ts';
import { isSameWord, significantWords, wordsOf } from './words.ts';

export interface HelpAnswer {
  /** At most 1,200 characters: the source, then up to four passages. */
  text: string;
  sources: { title: string; section: string; path: string }[];
}

/** Answers from the help pages by searching them; no model is asked. */
export interface Help {
  /** Undefined without a match. */
  ask(question: string, language: HelpLanguage): Promise<HelpAnswer | undefined>;
}

export type HelpLanguage = 'it' | 'en';

export interface HelpNeeds {
  /** Absolute path, one folder of pages per language; without it nothing matches. */
  helpDir?: string;
}

const MAX_ANSWER = 1_200;
const MAX_PASSAGES = 4;
const MAX_SOURCES = 3;
const MIN_SCORE = 4;
const SCORES = { heading: 5, title: 3, text: 1, phrase: 8 } as const;
/** Sections that score nearly as well as the best one are named too. */
const NEAR = 0.6;
/** Prefix of a source's path. */
const DOCS = 'docs/help';

/** A section indexed for searching. */
interface Indexed {
  section: HelpSection;
  title: string[];
  heading: string[];
  passages: string[][];
}

interface Hit {
  indexed: Indexed;
  score: number;
}

export function createHelp({ helpDir }: HelpNeeds): Help {
  const pages = new Map<HelpLanguage, Promise<Indexed[]>>();
  const indexOf = (language: HelpLanguage): Promise<Indexed[]> => {
    const known = pages.get(language) ?? readIndex(helpDir, language);
    pages.set(language, known);
    return known;
  };

  return {
    async ask(question, language) {
      const words = significantWords(question);
      if (!words.length) return undefined;
      const phrase = wordsOf(question).join(' ');
      const hits = (await indexOf(language))
        .map((indexed) => ({ indexed, score: scoreOf(indexed, words, phrase) }))
        .filter(({ score }) => score >= MIN_SCORE)
        .sort((a, b) => b.score - a.score);
      const [best] = hits;
      return best && { text: answerOf(best, words), sources: sourcesOf(hits, best.score, language) };
    },
  };
}

async function readIndex(helpDir: string | undefined, language: HelpLanguage): Promise<Indexed[]> {
  const sections = helpDir === undefined ? [] : await readPages(join(helpDir, language));
  return sections.map((section) => ({
    section,
    title: wordsOf(section.title),
    // Text before the first heading has no heading of its own.
    heading: section.heading === section.title ? [] : wordsOf(section.heading),
    passages: section.passages.map(wordsOf),
  }));
}

/** 0 unless at least half of the words match. */
function scoreOf({ title, heading, passages }: Indexed, words: readonly string[], phrase: string): number {
  let score = 0;
  let found = 0;
  for (const word of words) {
    const own =
      (has(heading, word) ? SCORES.heading : 0) +
      (has(title, word) ? SCORES.title : 0) +
      (passages.some((passage) => has(passage, word)) ? SCORES.text : 0);
    if (own > 0) found += 1;
    score += own;
  }
  if (found * 2 < words.length) return 0;
  const isPhrase =
    words.length > 1 && [heading, ...passages].some((text) => ` ${text.join(' ')} `.includes(` ${phrase} `));
  return score + (isPhrase ? SCORES.phrase : 0);
}

function has(text: readonly string[], word: string): boolean {
  return text.some((written) => isSameWord(word, written));
}

function answerOf({ indexed }: Hit, words: readonly string[]): string {
  const { title, heading, passages } = indexed.section;
  const counts = indexed.passages.map((passage) => words.filter((word) => has(passage, word)).length);
  const chosen = passages
    .map((passage, index) => ({ passage, index, count: counts[index] ?? 0 }))
    .sort((a, b) => b.count - a.count || a.index - b.index)
    .slice(0, MAX_PASSAGES)
    .sort((a, b) => a.index - b.index);
  let text = title === heading ? title : `${title} — ${heading}`;
  for (const { passage } of chosen) {
    const longer = `${text}\n\n${passage}`;
    if (longer.length > MAX_ANSWER) return text.includes('\n') ? text : `${textStart(longer, MAX_ANSWER - 1)}…`;
    text = longer;
  }
  return text;
}

function sourcesOf(hits: readonly Hit[], best: number, language: HelpLanguage): HelpAnswer['sources'] {
  return hits
    .filter(({ score }) => score >= best * NEAR)
    .slice(0, MAX_SOURCES)
    .map(({ indexed: { section } }) => ({
      title: section.title,
      section: section.heading,
      path: `${DOCS}/${language}/${section.path}`,
    }));
}
