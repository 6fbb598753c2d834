import {
  type CommandItem,
  changedInstructions,
  editProblems,
  isStopped,
  readArguments,
  type ToolItem,
  toolFacts,
} from '@fucina/conversation';
import { factName } from '../../action-facts.ts';
import { cleanLine } from '../../clean-text.ts';
import { duration } from '../../duration.ts';
import type { Line, Span, Token } from '../line.ts';
import { textWidth } from '../render/width.ts';
import { alignLine, cutLine, textLines, textSpan, wrapLine } from '../render/wrap.ts';
import { type Card, type CardLook } from './card.ts';
import { changeLines, countChanges } from './change-lines.ts';
import { failureReason } from './failure-reason.ts';
import { subjectOf, toolVerb } from './tool-words.ts';

/** Rows of output while it runs, and when unfolded. */
const LIVE_ROWS = 8;
const OUTPUT_ROWS = 200;
const INDENT: Line = [{ text: '  ' }];

export const toolCard: Card<'tool'> = (item, look, isUnfolded) => {
  if (item.hasCard && !isUnfolded) return [];
  const args = readArguments(item);
  const head = headLine(item, args, look);
  if (!isUnfolded) {
    return [
      head,
      ...(item.isOver ? reasonLines(item, look) : output(item, look, LIVE_ROWS)),
      ...instructionLines(item, look),
      ...problemLines(item, look),
    ];
  }
  return [
    head,
    ...argumentLines(item.name, args, look),
    ...item.changes.flatMap((change) => changeLines(change, look)),
    ...instructionLines(item, look),
    ...problemLines(item, look),
    ...resultLines(item, look),
  ];
};

export const userCommandCard: Card<'command'> = (item, look) => {
  const { width, say } = look;
  const mark = stateOf(item.isOver, item.error !== undefined || (item.exitCode ?? 0) !== 0);
  const facts = [
    ...(item.exitCode ? [say('card.exit', { code: item.exitCode })] : []),
    ...(item.endedAt === undefined ? [] : [duration(item.endedAt - (item.startedAt ?? item.endedAt))]),
  ];
  const head: Line = [mark, { text: '! ', token: 'info' }, ...commandSpan(item)];
  const problem = item.error === undefined ? [] : textLines(item.error, { token: 'danger' });
  return [
    alignLine(head, factSpan(facts), width),
    ...output(item, look, OUTPUT_ROWS),
    ...problem.flatMap((line) => wrapLine(line, width, { first: INDENT })),
  ];
};

function commandSpan({ command }: CommandItem): Line {
  return [textSpan(command, { isBold: true })];
}

function headLine(item: ToolItem, args: Readonly<Record<string, unknown>>, look: CardLook): Line {
  const { width, say } = look;
  const verb: Span = { text: toolVerb(item.name, item.isOver, say), isBold: true };
  const subject: Span = { text: `  ${subjectOf(item.name, args)}`, token: item.isOver ? 'muted' : 'text' };
  const changed = countChanges(item.changes);
  const counts: Line = changed
    ? [
        { text: `  +${changed.added}`, token: 'success' },
        { text: ` -${changed.removed}`, token: 'danger' },
      ]
    : [];
  return alignLine([stateOf(item.isOver, isBad(item)), verb, subject, ...counts], factSpan(factsOf(item, look)), width);
}

function stateOf(isOver: boolean, hasFailed: boolean): Span {
  const token: Token = isOver ? (hasFailed ? 'danger' : 'success') : 'accent';
  return { text: isOver ? (hasFailed ? '✗ ' : '✓ ') : '● ', token };
}

function isBad(item: ToolItem): boolean {
  const { outcome, approval } = item;
  if (approval === 'denied' || isStopped(item)) return true;
  return outcome !== undefined && (outcome.isFailed || (outcome.exitCode ?? 0) !== 0);
}

function factSpan(facts: readonly string[]): Line {
  return facts.length ? [{ text: facts.join(' · '), token: 'muted' }] : [];
}

function factsOf(item: ToolItem, { say }: CardLook): string[] {
  const { outcome, approval, background, name } = item;
  const facts: string[] = [];
  if (item.isQueued) facts.push(say('card.queued'));
  if (approval === 'waiting') facts.push(say('card.waiting'));
  if (approval === 'denied') facts.push(say('card.denied'));
  else if (isStopped(item)) facts.push(say('card.stopped'));
  else if (outcome?.isFailed && outcome.command === undefined) facts.push(say('card.failed'));
  if (outcome?.exitCode) facts.push(say('card.exit', { code: outcome.exitCode }));
  if (background?.isRunning) facts.push(say('card.background'));
  else if (background) facts.push(say('card.background-over', { code: background.exitCode ?? '?' }));
  const isQuick = (outcome?.durationMs ?? 0) < QUICK_MS;
  if (outcome?.durationMs !== undefined && !(isQuick && !toolFacts(name).isCommand))
    facts.push(duration(outcome.durationMs));
  return facts;
}

/** A duration is shown if it is significant. */
const QUICK_MS = 100;

/** Details that the heading does not contain. */
function argumentLines(tool: string, args: Readonly<Record<string, unknown>>, look: CardLook): Line[] {
  const subject = subjectOf(tool, args);
  const isListed = textWidth(subject) <= look.width - HEAD_ROOM;
  const shown = Object.entries(args).filter(
    ([name, value]) => !SHOWN_AS_CHANGES.has(name) && !(isListed && value === subject),
  );
  return shown.flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const [first = [], ...more] = textLines(text);
    const label: Line = [...INDENT, textSpan(`${factName(name, look.say)}: `, { token: 'muted' })];
    return capped(
      [...wrapLine(first, look.width, { first: label }), ...more.flatMap((line) => indented(line, look.width))],
      { look, limit: ARGUMENT_ROWS, keepsEnd: false },
    );
  });
}

/** Typical columns of a heading besides its subject. */
const HEAD_ROOM = 40;
const SHOWN_AS_CHANGES = new Set(['content', 'oldText', 'newText', 'moreEdits']);
const ARGUMENT_ROWS = 20;

/** Why a call failed, visible without unfolding it; a denied or stopped one says so in its heading. */
function reasonLines(item: ToolItem, look: CardLook): Line[] {
  const { outcome, approval } = item;
  if (!outcome || approval === 'denied' || isStopped(item) || !isBad(item)) return [];
  if (item.output.trim() !== '') return output(item, look, REASON_ROWS);
  const reason = failureReason(outcome.content, look.say).trim();
  const rows = textLines(reason, { token: 'danger' }).flatMap((line) => indented(line, look.width));
  return capped(rows, { look, limit: REASON_ROWS, keepsEnd: outcome.command !== undefined });
}

const REASON_ROWS = 4;

/** Instructions for agents that the call changed, visible without unfolding it: the user never allowed them. */
function instructionLines({ changes }: ToolItem, look: CardLook): Line[] {
  const paths = changedInstructions(changes);
  if (paths.length === 0) return [];
  const text = `${look.say('instructions.changed')}: ${paths.map((path) => cleanLine(path, 200)).join(', ')}`;
  return capped(indented([textSpan(text, { token: 'warning' })], look.width), {
    look,
    limit: PROBLEM_ROWS,
    keepsEnd: false,
  });
}

/** What an edit broke, visible without unfolding it. */
function problemLines({ outcome, changes }: ToolItem, look: CardLook): Line[] {
  if (!outcome || outcome.isFailed || changes.length === 0) return [];
  const rows = editProblems(outcome.content).flatMap((text) =>
    textLines(text, { token: / error\b/.test(text) ? 'danger' : 'warning' }).flatMap((line) =>
      indented(line, look.width),
    ),
  );
  return capped(rows, { look, limit: PROBLEM_ROWS, keepsEnd: false });
}

const PROBLEM_ROWS = 8;

function resultLines(item: ToolItem, look: CardLook): Line[] {
  const { outcome } = item;
  if (item.output !== '') return output(item, look, OUTPUT_ROWS);
  if (!outcome || (item.changes.length > 0 && !outcome.isFailed)) return [];
  const look2 = outcome.isFailed ? ({ token: 'danger' } as const) : ({ token: 'muted' } as const);
  const content = outcome.isFailed ? failureReason(outcome.content, look.say) : outcome.content;
  const rows = textLines(content.trimEnd(), look2).flatMap((line) => indented(line, look.width));
  return capped(rows, { look, limit: OUTPUT_ROWS, keepsEnd: false });
}

function output(item: Pick<ToolItem, 'output' | 'droppedLines'>, look: CardLook, limit: number): Line[] {
  const text = item.output.replace(/\n$/, '');
  if (text === '') return [];
  // Of a line that a program rewrites, the last version counts.
  const lines = textLines(
    text
      .split('\n')
      .map((line) => line.replace(/\r$/, '').split('\r').at(-1) ?? '')
      .join('\n'),
    { token: 'muted' },
  );
  const rows = lines.slice(-limit - 1).flatMap((line) => indented(line, look.width));
  const hidden = item.droppedLines + Math.max(0, lines.length - limit - 1);
  return capped(rows, { look, limit, keepsEnd: true, hidden });
}

interface Cap {
  look: CardLook;
  limit: number;
  /** Of too many rows shows the last ones, or the first. */
  keepsEnd: boolean;
  /** Already omitted. */
  hidden?: number;
}

function capped(rows: readonly Line[], { look, limit, keepsEnd, hidden = 0 }: Cap): Line[] {
  const left = hidden + Math.max(0, rows.length - limit);
  if (left === 0) return [...rows];
  const note = cutLine([...INDENT, { text: look.say('card.left-out', { count: left }), token: 'muted' }], look.width);
  return keepsEnd ? [note, ...rows.slice(-limit)] : [...rows.slice(0, limit), note];
}

function indented(line: Line, width: number): Line[] {
  return wrapLine(line, width, { first: INDENT, isExact: true });
}
