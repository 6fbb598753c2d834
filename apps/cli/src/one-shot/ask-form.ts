import type { ElicitationAnswer } from '@fucina/host';
import type { Draft, FormField } from '@fucina/shared/form-fields';
import { cleanLine, cleanText } from '../clean-text.ts';
import { type Elicitation, hostOf } from '../forms/elicitation.ts';
import { elicitationTitle, elicitationWarning } from '../forms/elicitation-words.ts';
import { draftText, limitText } from '../forms/field-text.ts';
import { createFormState, type FormState, finishForm, problemOf, setField } from '../forms/filling.ts';
import { askChoice } from './ask-choice.ts';
import type { DialogueNeeds } from './dialogue.ts';

const LINE = 200;

/** Asks for a form line by line, or offers a page to open; a closed terminal or the end of the call cancels it. */
export async function askElicitation(asked: Elicitation, place: DialogueNeeds): Promise<ElicitationAnswer> {
  const { terminal, screen } = place;
  const { errorStyle: style, say } = terminal;
  const { message, url, form = {}, sampling } = asked;
  screen.line('');
  screen.line(`${style.accent('?')} ${style.bold(elicitationTitle(asked, say))}`);
  for (const line of cleanText(message).split('\n')) screen.line(`    ${line}`);
  screen.line(`    ${style.muted(elicitationWarning(asked, say))}`);
  if (url !== undefined) {
    screen.line(`    ${style.bold(say('form.page', { host: cleanLine(hostOf(url), LINE) || '?' }))}`);
    screen.line(`    ${style.accent(cleanText(url))}`);
    return choose('form.line-opened', place, () => ({ action: 'accept' }));
  }
  const empty = createFormState(form);
  if (empty.fields.length === 0) {
    return choose(sampling ? 'form.line-model' : 'form.line-send', place, () => ({ action: 'accept', content: {} }));
  }
  return choose('form.line-fill', place, () => fill(empty, place));
}

async function choose(
  yes: 'form.line-opened' | 'form.line-send' | 'form.line-fill' | 'form.line-model',
  place: DialogueNeeds,
  act: () => ElicitationAnswer | Promise<ElicitationAnswer>,
): Promise<ElicitationAnswer> {
  const { say } = place.terminal;
  const letter = await askChoice({ y: say(yes), n: say('form.line-decline') }, place);
  if (letter === undefined) return { action: 'cancel' };
  return letter === 'y' ? act() : { action: 'decline' };
}

async function fill(empty: FormState, place: DialogueNeeds): Promise<ElicitationAnswer> {
  let filling = empty;
  for (const [at, field] of empty.fields.entries()) {
    const draft = await askField(field, place);
    if (draft === null) return { action: 'cancel' };
    filling = setField(filling, at, draft);
  }
  const finished = finishForm(filling);
  if (!('content' in finished)) throw new Error('a form whose fields fit does not');
  return choose('form.line-send', place, () => ({ action: 'accept', content: finished.content }));
}

/** Repeats until the value is valid; null when the terminal was closed. */
async function askField(field: FormField, place: DialogueNeeds): Promise<Draft | null> {
  const { terminal, screen, readLine } = place;
  const { errorStyle: style, say } = terminal;
  tellField(field, place);
  for (;;) {
    const typed = await readLine(`  ${style.muted(hintOf(field, place))} ${style.accent('›')} `);
    if (typed === undefined) return null;
    const draft = typed.trim() === '' ? field.initial : draftOf(field, typed.trim());
    const problem = draft === null ? undefined : problemOf(field, draft);
    if (draft !== null && !problem) return draft;
    if (problem) screen.line(`    ${style.danger(say(problem.key, problem.params))}`);
  }
}

function tellField(field: FormField, { terminal, screen }: DialogueNeeds): void {
  const { errorStyle: style, say } = terminal;
  const needed = field.isRequired ? style.accent(' *') : '';
  screen.line(`    ${style.bold(cleanLine(field.title, LINE))}${needed}`);
  for (const text of [field.description ?? '', limitText(field, say)].filter(Boolean))
    screen.line(`      ${style.muted(cleanText(text))}`);
  for (const [index, { label }] of field.choices.entries())
    screen.line(`      ${style.accent(String(index + 1))} ${cleanLine(label, LINE)}`);
}

function hintOf(field: FormField, { terminal: { say } }: DialogueNeeds): string {
  const { kind, initial, isRequired } = field;
  const what = kind === 'boolean' || kind === 'one' || kind === 'many' ? kind : 'text';
  const value = cleanLine(draftText(field, initial, say), LINE);
  const empty = value ? say('form.line-initial', { value }) : isRequired ? '' : say('form.line-empty');
  return [say(`form.line-${what}`), empty].filter(Boolean).join('; ');
}

/** Null for an invalid value. */
function draftOf({ kind, choices }: FormField, typed: string): Draft | null {
  if (kind === 'boolean') {
    const is = typed.toLowerCase();
    return is === 'y' || is === 's' ? true : is === 'n' ? false : null;
  }
  if (kind !== 'one' && kind !== 'many') return typed;
  const places = [...new Set(typed.split(/[\s,]+/).map((number) => Number(number) - 1))];
  const areKnown = places.every((place) => choices[place] !== undefined);
  return areKnown && (kind === 'many' || places.length === 1) ? places : null;
}
