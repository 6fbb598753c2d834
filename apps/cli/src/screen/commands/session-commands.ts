import { AppError } from '@fucina/shared';
import { cleanLine } from '../../clean-text.ts';
import type { Line } from '../line.ts';
import type { Workbench } from '../workbench.ts';
import { UsageProblem } from './command.ts';

const WIDTH = 100;

/** The queue of the running turn: shown, cleared, or sent now. */
export async function queueCommand(argument: string, workbench: Workbench): Promise<void> {
  const { conversation, services, terminal, tell } = workbench;
  const { say } = terminal;
  const sessionId = conversation.sessionId();
  const { messages, isPaused } = conversation.queue();
  const act = argument || 'show';
  if (!['show', 'clear', 'run'].includes(act)) throw new UsageProblem();
  const [first] = messages;
  if (sessionId === undefined || !first) return tell({ tone: 'info', body: say('queue.empty') });
  if (act === 'clear') {
    for (const { id } of messages) await services.sessions.turns.unqueue(sessionId, id);
    return tell({ tone: 'success', body: say('queue.cleared', { count: messages.length }) });
  }
  if (act === 'run') {
    await services.sessions.turns.sendQueued(sessionId, first.id);
    return;
  }
  const body = messages.map(
    ({ input }, at): Line => [{ text: `${at + 1}. `, token: 'muted' }, { text: cleanLine(input.message, WIDTH) }],
  );
  tell({ tone: 'info', title: say(isPaused ? 'queue.title-paused' : 'queue.title'), body });
}

/** Compacts the conversation now. */
export async function compact({ conversation, services, terminal, tell }: Workbench): Promise<void> {
  const { say } = terminal;
  const sessionId = conversation.sessionId();
  if (sessionId === undefined) return tell({ tone: 'info', body: say('no-conversation') });
  if (conversation.isBusy()) throw new AppError('SESSION_NOT_READY');
  const outcome = await services.sessions.editing.compact(sessionId);
  if (outcome.isCompacted) return;
  const { why, failure } = outcome;
  tell({ tone: 'info', body: [say(`compact.${why}`), failure?.message ?? ''].filter(Boolean).join(' ') });
}
