import type { EditedText } from '../edit/apply-edits.ts';
import { ambiguous, notFound } from '../edit/edit-problems.ts';
import { type Found, findPlaces, type Span } from '../edit/find-places.ts';
import { replacementFor } from '../edit/replacement.ts';
import type { PatchChunk, PatchProblem } from './parse-patch.ts';

/** The text after all changes, which stand in it in their order; or the one that does not fit. */
export function patchedText(text: string, chunks: readonly PatchChunk[], label: string): EditedText | PatchProblem {
  let current = text;
  /** Where the next change may begin. */
  let from = 0;
  const spans: Span[] = [];
  for (const chunk of chunks) {
    const start = afterAnchors(current, from, chunk);
    if (start === undefined) return { line: chunk.line, problem: `no line "${chunk.anchors.join(' › ')}" in ${label}` };
    const made = chunk.old.length > 0 ? replaced(current, start, { chunk, label }) : inserted(current, start, chunk);
    if ('problem' in made) return made;
    current = current.slice(0, made.start) + made.text + current.slice(made.end);
    from = made.start + made.text.length;
    spans.push({ start: made.start, end: from });
  }
  return { text: current, spans, adjustments: [] };
}

/** A part of the text and what is written in its place. */
interface Replacement extends Span {
  text: string;
}

/** Behind the last anchor; undefined where one is missing. */
function afterAnchors(text: string, from: number, { anchors }: PatchChunk): number | undefined {
  let at = from;
  for (const anchor of anchors) {
    let start = at;
    let end = lineEnd(text, start);
    while (text.slice(start, end).trim() !== anchor) {
      if (end >= text.length) return undefined;
      start = end;
      end = lineEnd(text, start);
    }
    at = end;
  }
  return at;
}

function lineEnd(text: string, start: number): number {
  const at = text.indexOf('\n', start);
  return at === -1 ? text.length : at + 1;
}

function replaced(text: string, from: number, of: { chunk: PatchChunk; label: string }): Replacement | PatchProblem {
  const { chunk, label } = of;
  const rest = text.slice(from);
  const lines = (some: readonly string[]): string => some.map((line) => `${line}\n`).join('');
  const old = lines(chunk.old);
  const found = findPlaces(rest, { old, fresh: lines(chunk.fresh), path: label });
  const spans = found?.spans.filter(
    (span) => isWhole(rest, span) && (!chunk.isAtEnd || span.end >= rest.trimEnd().length),
  );
  if (!found || !spans?.length) return { line: chunk.line, problem: notFound(rest, old, label) };
  // An anchor says which of several places it is: the first one behind it.
  if (spans.length > 1 && chunk.anchors.length === 0) {
    return { line: chunk.line, problem: ambiguous(rest, spans, { label, apartFrom: '' }) };
  }
  return replacement(rest, from, { found, span: spans[0] as Span, line: chunk.line });
}

function replacement(
  rest: string,
  from: number,
  { found, span, line }: { found: Found; span: Span; line: number },
): Replacement | PatchProblem {
  const text = replacementFor(rest, span, found);
  if (text === undefined) return { line, problem: 'it is not clear which indentation is meant' };
  return { start: from + span.start, end: from + span.end, text };
}

function isWhole(text: string, { start }: Span): boolean {
  return start === 0 || text[start - 1] === '\n';
}

/** Behind the anchor, else at the end of the file. */
function inserted(text: string, at: number, { anchors, fresh }: PatchChunk): Replacement {
  const start = anchors.length > 0 ? at : text.length;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const isOpen = start > 0 && text[start - 1] !== '\n';
  return { start, end: start, text: (isOpen ? end : '') + fresh.map((line) => line + end).join('') };
}
