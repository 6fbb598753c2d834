import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import type { SessionRow } from '@fucina/host';
import type { Say } from '../../words/index.ts';
import type { PickerRow, Workbench } from '../workbench.ts';

const NAME_WIDTH = 60;

/** Conversations of this folder first, then the others, newest first. */
export async function sessionRows(workbench: Workbench): Promise<PickerRow<string>[]> {
  const { services, terminal, conversation, dir } = workbench;
  const folder = await realpath(dir);
  const ambient = await terminal.io.ambient('silent');
  const now = ambient.now();
  const rows = (await services.sessions.list()).filter(
    ({ header }) => header.parentId === null && header.workflowStep === null,
  );
  const ordered = rows
    .map((row) => ({
      row,
      at: Math.max(row.header.startedAt, row.lastReplyAt ?? 0),
      isHere: row.header.folder === folder,
    }))
    .sort((a, b) => Number(b.isHere) - Number(a.isHere) || b.at - a.at);
  return ordered.map(({ row, at, isHere }) => ({
    value: row.header.sessionId,
    label: [...(row.name ?? row.header.sessionId)].slice(0, NAME_WIDTH).join(''),
    detail: [...(isHere ? [] : [basename(row.header.folder)]), row.settings.model ?? '', age(now - at, terminal.say)]
      .filter(Boolean)
      .join(' · '),
    isCurrent: row.header.sessionId === conversation.sessionId(),
  }));
}

export function pickSession(workbench: Workbench, act: 'resume' | 'fork'): void {
  const { terminal, pick } = workbench;
  pick({
    title: terminal.say(`picker.${act}`),
    rows: sessionRows(workbench),
    choose: (id) => openSession(workbench, act, id),
  });
}

export async function openSession(workbench: Workbench, act: 'resume' | 'fork', id: string): Promise<void> {
  const { services, conversation } = workbench;
  const { sessionId } = act === 'fork' ? await services.sessions.branches.fork(id) : { sessionId: id };
  await conversation.open(sessionId);
}

/** NOT_FOUND, or QUERY_INVALID for the beginning of several. */
export async function sessionById({ services }: Workbench, given: string): Promise<SessionRow> {
  const { findById: byId } = await import('../../commands/domains/listing.ts');
  return byId(await services.sessions.list(), given, ({ header }) => header.sessionId);
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

function age(ms: number, say: Say): string {
  if (ms < MINUTE) return say('age.now');
  if (ms < HOUR) return say('age.minutes', { count: Math.floor(ms / MINUTE) });
  if (ms < DAY) return say('age.hours', { count: Math.floor(ms / HOUR) });
  return say('age.days', { count: Math.floor(ms / DAY) });
}
