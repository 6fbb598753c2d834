import { createHash } from 'node:crypto';

/** Identifies equal answers to a request: by the choice, not by time or card. */
interface AnswerFacts {
  status: string;
  answers?: Record<string, string | string[]>;
  skipped?: readonly string[];
  notes?: Record<string, string>;
  decisione?: string;
  feedback?: string;
  hash?: string;
}

export function answerDigest({ status, answers, skipped, notes, decisione, feedback, hash }: AnswerFacts): string {
  const facts = [status, sorted(answers), [...(skipped ?? [])].sort(), sorted(notes), decisione, feedback, hash];
  return sha256(JSON.stringify(facts));
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function sorted(record: Record<string, unknown> = {}): [string, unknown][] {
  return Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1));
}
