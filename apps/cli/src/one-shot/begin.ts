import { realpath } from 'node:fs/promises';
import type { Services, UsedWorktree } from '@fucina/host';
import { AppError } from '@fucina/shared';
import type { Choices } from '../choices.ts';
import { readyLocalModel } from '../local-model.ts';
import { startInFolder } from '../session-folder.ts';
import type { SetupReporter } from '../worktree-setup.ts';
import type { OneShotRequest } from './one-shot-request.ts';

/** The conversation of a prompt, with its turn started. */
export interface StartedTurn {
  sessionId: string;
  /** Sequence of the turn's first event. */
  after: number;
  /** The worktree that a new session works in. */
  worktree?: UsedWorktree | undefined;
}

/** The session is running when this resolves. */
export async function startOneShotTurn(
  request: OneShotRequest,
  services: Services,
  reporter: SetupReporter,
): Promise<StartedTurn> {
  const words = request.resume === undefined && !request.doesContinue ? undefined : await compose(request, services);
  const sessionId = await openExistingSession(request, services);
  return sessionId === undefined
    ? beginFresh(request, services, reporter)
    : sendNextMessage({ sessionId, ...words }, services, request);
}

/**
 * The named conversation, or the newest of the folder, or a fork of either, with the chosen settings; undefined for a
 * new one. Throws NOT_FOUND.
 */
export async function openExistingSession(choices: Choices, services: Services): Promise<string | undefined> {
  const { sessions } = services;
  const { resume, doesContinue, doesFork, model, level, mode, effort } = choices;
  const known = resume ?? (doesContinue ? await latestOf(choices.dir, services) : undefined);
  if (known === undefined) return undefined;
  if (!sessions.has(known))
    throw new AppError('NOT_FOUND', { reason: 'session-unknown', params: { sessionId: known } });
  const { sessionId } = doesFork ? await sessions.branches.fork(known) : { sessionId: known };
  const { settings } = await sessions.read(sessionId);
  await readyLocalModel(model ?? settings.model, services);
  const patch = {
    ...(model && { model }),
    ...(effort && { reasoning: { effort } }),
    ...(level && { permissions: level }),
    ...(mode && { mode }),
  };
  if (Object.keys(patch).length) await sessions.changeSettings(sessionId, patch);
  return sessionId;
}

async function beginFresh(request: OneShotRequest, services: Services, reporter: SetupReporter): Promise<StartedTurn> {
  const { providers, sandbox, startSession } = services;
  const { model, level, mode, testCommand, effort, maxModelCalls } = request;
  // Preloads what the call will need while the folder is scanned.
  if (model) providers.warm(model).catch(() => undefined);
  // It is tested by programs of its own, while this process loads the rest and the model answers.
  if (level !== 'Read only' && level !== 'Full access') sandbox.prepare();
  const settings = { model, reasoning: effort && { effort }, permissions: level, mode };
  await readyLocalModel(model, services);
  const words = await compose(request, services);
  return startInFolder(request, { services, task: request.task, reporter }, async ({ folder, worktree }) => {
    const started = await startSession({ folder, message: '', ...words, testCommand, maxModelCalls, ...settings });
    return { ...started, after: 0, worktree };
  });
}

/** The message with its images; without one an interrupted turn is resumed. */
interface Words {
  message?: string;
  images?: { id: string; name: string }[];
}

/** The next message in an active conversation. */
export async function sendNextMessage(
  { sessionId, ...words }: { sessionId: string } & Words,
  { sessions }: Services,
  { maxModelCalls }: Pick<OneShotRequest, 'maxModelCalls'>,
): Promise<StartedTurn> {
  const { lastSeq } = await sessions.read(sessionId);
  await sessions.turns.resume(sessionId, words, { maxModelCalls });
  return { sessionId, after: lastSeq };
}

async function compose(
  { task, attachments: { texts, pictures }, schema }: OneShotRequest,
  { sessions }: Services,
): Promise<Words> {
  const images: { id: string; name: string }[] = [];
  for (const picture of pictures) {
    const { id, nome } = await sessions.images.upload(picture);
    images.push({ id, name: nome });
  }
  const parts = [task, ...texts, schema?.demand].filter((part) => part !== undefined);
  return isWordless({ task, attachments: { texts, pictures } })
    ? {}
    : { message: parts.join('\n\n'), ...(images.length && { images }) };
}

type Said = Pick<OneShotRequest, 'task' | 'attachments'>;

function isWordless({ task, attachments: { texts, pictures } }: Said): boolean {
  return task === undefined && texts.length + pictures.length === 0;
}

/** Whether there is neither a message nor a conversation to resume. */
export function hasNothingToSend(request: Said & Pick<OneShotRequest, 'resume' | 'doesContinue'>): boolean {
  return isWordless(request) && request.resume === undefined && !request.doesContinue;
}

/** The user's newest conversation in this folder. NOT_FOUND when there is none. */
async function latestOf(dir: string, { sessions }: Services): Promise<string> {
  const folder = await realpath(dir);
  const rows = (await sessions.list()).filter(
    ({ header }) => header.folder === folder && header.parentId === null && header.workflowStep === null,
  );
  const times = rows.map((row) => Math.max(row.header.startedAt, row.lastReplyAt ?? 0));
  const newest = rows[times.indexOf(Math.max(...times))];
  if (!newest) throw new AppError('NOT_FOUND', { reason: 'no-session-in-folder' });
  return newest.header.sessionId;
}
