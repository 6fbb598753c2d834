import type { Question } from '@fucina/conversation';
import { cleanText } from '../clean-text.ts';
import type { Terminal } from '../terminal.ts';
import type { Screen } from './screen.ts';

export type DialogueAnswers = Record<string, string | string[]>;

export interface PlanChoice {
  decision: 'procedi-con-conferma' | 'procedi-accetta-modifiche' | 'continua-a-pianificare';
  feedback?: string;
}

/** Reads one line; undefined when the terminal or the request was closed. */
export type ReadLine = (prompt: string) => Promise<string | undefined>;

export interface DialogueNeeds {
  terminal: Terminal;
  screen: Screen;
  readLine: ReadLine;
}

/** Undefined: the user leaves it to the agent. */
export async function askQuestions(
  questions: readonly Question[],
  place: DialogueNeeds,
): Promise<DialogueAnswers | undefined> {
  const answers: DialogueAnswers = {};
  for (const question of questions) {
    const answer = await askOne(question, place);
    if (answer === undefined) return undefined;
    if (answer.length > 0) answers[question.id] = answer;
  }
  return Object.keys(answers).length > 0 ? answers : undefined;
}

async function askOne(
  { question, why, options = [], multiSelect }: Question,
  { terminal, screen, readLine }: DialogueNeeds,
): Promise<string | string[] | undefined> {
  const { errorStyle: style, say } = terminal;
  screen.line('');
  screen.line(`${style.accent('?')} ${style.bold(cleanText(question))}`);
  screen.line(`    ${style.muted(cleanText(why))}`);
  for (const [index, { label, description }] of options.entries()) {
    const more = description ? style.muted(`  ${cleanText(description)}`) : '';
    screen.line(`    ${style.accent(String(index + 1))} ${cleanText(label)}${more}`);
  }
  const hint = options.length ? say(multiSelect ? 'question.choose-many' : 'question.choose') : say('question.free');
  const typed = await readLine(`  ${style.muted(hint)} ${style.accent('›')} `);
  return typed === undefined ? undefined : chosen(typed.trim(), options, multiSelect ?? false);
}

/** Numbers select options; anything else is a free answer. */
function chosen(typed: string, options: NonNullable<Question['options']>, isMany: boolean): string | string[] {
  const numbers = typed.split(/[\s,]+/).map(Number);
  const labels = numbers.flatMap((number) => options[number - 1]?.label ?? []);
  const isChoice = typed !== '' && labels.length === numbers.length && (isMany || labels.length === 1);
  if (!isChoice) return isMany && typed ? [typed] : typed;
  return isMany ? labels : (labels[0] ?? '');
}

/** Undefined: nothing is executed. */
export async function askPlan(
  content: string,
  { terminal, screen, readLine }: DialogueNeeds,
): Promise<PlanChoice | undefined> {
  const { errorStyle: style, say } = terminal;
  screen.line('');
  screen.line(`${style.accent('?')} ${style.bold(say('plan.title'))}`);
  for (const line of cleanText(content).split('\n')) screen.line(`    ${line}`);
  const choices = [say('plan.accept'), say('plan.confirm'), say('plan.stop'), say('plan.feedback')];
  const typed = (await readLine(`  ${choices.join(style.muted(' · '))} ${style.accent('›')} `))?.trim();
  if (typed === undefined || typed === '' || typed === 'n') return undefined;
  if (typed === 'y' || typed === 's') return { decision: 'procedi-accetta-modifiche' };
  if (typed === 'c') return { decision: 'procedi-con-conferma' };
  return { decision: 'continua-a-pianificare', feedback: typed };
}
