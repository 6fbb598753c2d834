import type { Draft, FormField } from '@fucina/shared/form-fields';
import type { Elicitation } from '../../forms/elicitation.ts';
import { elicitationWarning } from '../../forms/elicitation-words.ts';
import { draftText, limitText } from '../../forms/field-text.ts';
import type { FormState } from '../../forms/filling.ts';
import type { Say } from '../../words/index.ts';
import type { Line } from '../line.ts';
import { cutLine, padLine, textLines, textSpan, withBackground, wrapLine } from '../render/wrap.ts';

/** The server's text, marked as its own. */
export function messageLines(asked: Elicitation, say: Say, width: number): Line[] {
  const warning = [{ text: elicitationWarning(asked, say), token: 'warning' as const }];
  return [...textLines(asked.message), warning].flatMap((line) => wrapLine(line, width));
}

export interface FormLines {
  lines: Line[];
  /** Row range of the selected field, inclusive. */
  from: number;
  to: number;
}

export interface FormView {
  asked: Elicitation;
  filling: FormState;
  /** Undefined: none of the fields. */
  chosen: number | undefined;
  hasFocus: boolean;
  say: Say;
}

/** The message, then every field with its value; the selected one also with its allowed values. */
export function formLines({ asked, filling, chosen, hasFocus, say }: FormView, width: number): FormLines {
  const lines = messageLines(asked, say, width);
  let from = 0;
  let to = 0;
  for (const [at, field] of filling.fields.entries()) {
    const isChosen = at === chosen && hasFocus;
    if (at === chosen) from = lines.length;
    const row = { at, field, filling, isChosen, say };
    lines.push(isChosen ? fieldRow(row, width) : restingRow(row, width));
    const problem = filling.problems[at];
    if (problem) lines.push(...indented(`✗ ${say(problem.key, problem.params)}`, 'danger', width));
    if (at !== chosen) continue;
    lines.push(...fieldHint(field, problem !== undefined, { say, width }));
    to = lines.length - 1;
  }
  return { lines, from, to };
}

interface Row {
  at: number;
  field: FormField;
  filling: FormState;
  isChosen: boolean;
  say: Say;
}

const resting = new WeakMap<FormField, { draft: Draft; width: number; line: Line }>();

/** Cached while unchanged: a server may ask for thousands. */
function restingRow(row: Row, width: number): Line {
  const { at, field, filling } = row;
  const draft = filling.drafts[at];
  const known = resting.get(field);
  if (known?.draft === draft && known?.width === width) return known.line;
  const line = fieldRow(row, width);
  resting.set(field, { draft, width, line });
  return line;
}

function fieldRow({ at, field, filling, isChosen, say }: Row, width: number): Line {
  const text = draftText(field, filling.drafts[at], say);
  const line = cutLine(
    [
      { text: isChosen ? '▸ ' : '  ', token: 'accent' },
      { text: `${at < 9 ? at + 1 : ' '} `, token: 'accent' },
      textSpan(field.title, { isBold: isChosen }),
      { text: field.isRequired ? ' *  ' : '  ', token: 'warning' },
      text === '' ? { text: '—', token: 'muted' } : textSpan(text, { token: 'accent' }),
    ],
    width,
  );
  return isChosen ? withBackground(padLine(line, width), 'raised') : line;
}

/** A field's description and allowed values, unless its error already states them. */
export function fieldHint(field: FormField, hasProblem: boolean, { say, width }: { say: Say; width: number }): Line[] {
  const limits = hasProblem ? '' : limitText(field, say);
  return [field.description ?? '', limits].filter(Boolean).flatMap((text) => indented(text, 'muted', width));
}

function indented(text: string, token: 'muted' | 'danger', width: number): Line[] {
  return textLines(text, { token }).flatMap((line) => wrapLine(line, width, { first: [{ text: '    ' }] }));
}

/** The whole form as text, for a page. */
export function formPageLines(
  asked: Elicitation,
  filling: FormState,
  { say, width }: { say: Say; width: number },
): Line[] {
  const fields = filling.fields.flatMap((field, at) => [
    [],
    fieldRow({ at, field, filling, isChosen: false, say }, width),
    ...fieldHint(field, false, { say, width }),
    ...field.choices.flatMap(({ label }) => indented(`· ${label}`, 'muted', width)),
  ]);
  return [...messageLines(asked, say, width), ...fields];
}
