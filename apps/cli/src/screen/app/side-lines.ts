import type { TodoEntry } from '@fucina/conversation';
import { cleanLine } from '../../clean-text.ts';
import type { Say } from '../../words/index.ts';
import { toolVerb } from '../cards/tool-words.ts';
import type { AgentRow } from '../conversation/agents.ts';
import type { Line, Span } from '../line.ts';
import type { Size } from '../part.ts';
import { cutLine } from '../render/wrap.ts';

const TEXT_WIDTH = 400;

export interface SideFacts {
  todo: readonly TodoEntry[];
  agents: readonly AgentRow[];
  say: Say;
  isBusy: boolean;
}

/** Running sub-agents and open to-dos: as many rows as fit. */
export function sideLines({ todo, agents, say, isBusy }: SideFacts, { width, height }: Size): Line[] {
  // Between turns a short reminder is enough.
  const rows = [...agentLines(agents, say), ...todoLines(todo, say, isBusy ? height : 1)];
  return rows.slice(0, height).map((line) => cutLine([{ text: ' ' }, ...line], width));
}

function agentLines(agents: readonly AgentRow[], say: Say): Line[] {
  return agents
    .filter(({ isRunning }) => isRunning)
    .map(({ task, tool }) => [
      { text: '◇ ', token: 'info' },
      { text: cleanLine(task, TEXT_WIDTH) },
      ...(tool ? [{ text: `  ${toolVerb(tool, false, say)}`, token: 'muted' as const }] : []),
    ]);
}

/** Empty once all are done. With little room, open items take precedence over completed ones. */
function todoLines(todo: readonly TodoEntry[], say: Say, room: number): Line[] {
  if (todo.every(({ status }) => status === 'completed')) return [];
  const done = todo.filter(({ status }) => status === 'completed').length;
  const head: Line = [{ text: say('side.todo', { done, count: todo.length }), token: 'muted' }];
  const first = todo.findIndex(({ status }) => status !== 'completed');
  const from = Math.max(0, Math.min(first - 1, todo.length - (room - 1)));
  return [head, ...todo.slice(from, from + room - 1).map(todoLine)];
}

const MARKS: Readonly<Record<TodoEntry['status'], Span>> = {
  completed: { text: '✓ ', token: 'success' },
  in_progress: { text: '▸ ', token: 'accent' },
  pending: { text: '○ ', token: 'muted' },
};

function todoLine({ content, status }: TodoEntry): Line {
  const text = cleanLine(content, TEXT_WIDTH);
  const isDone = status === 'completed';
  return [
    MARKS[status],
    { text, isStruck: isDone, isBold: status === 'in_progress', ...(isDone && { token: 'muted' as const }) },
  ];
}
