import { createHash } from 'node:crypto';
import type { FollowItem, SessionRow, Sessions } from '@fucina/sessions';
import { commonError, defineErrors, type NumberedEvent } from '@fucina/shared';
import type { SessionChoices, StartRequest } from '../sessions/start-session.ts';

/** A run as the AG-UI protocol asks for it: the next message of a thread, or the answer to its request. */
export interface AgUiRequest {
  threadId: string;
  /** Only its last message is new: the session has the others. */
  messages: readonly AgUiMessage[];
  /** Facts of the application, for the model. */
  context: readonly { description: string; value: string }[];
  /** Of a new session; a session that exists keeps its own. */
  start: SessionChoices & { projectId?: string; folder?: string };
  resume: AgUiAnswer | undefined;
}

export interface AgUiMessage {
  role: string;
  text: string;
  images: readonly { dataUrl: string }[];
}

/** The answer to one request of the session. */
export interface AgUiAnswer {
  requestId: string;
  /** Absent: it was answered elsewhere, or will be; the run only continues after the request. */
  answer:
    | { kind: 'approval'; isApproved: boolean }
    | { kind: 'question'; answers: Record<string, string | string[]> }
    | { kind: 'cancelled' }
    | undefined;
}

/** The events of a run, from its first to the end of the turn and beyond: the reader stops at the end. */
export interface AgUiRun {
  session: SessionRow;
  /** Already known to the client. */
  before: readonly NumberedEvent[];
  items: AsyncIterable<FollowItem>;
  /** Whether `items` continue a turn of `before`. */
  isContinued: boolean;
}

/**
 * Starts or continues the session of a thread; the run has begun when it resolves. QUERY_INVALID for a run without a new
 * message and without an answer, and for a new thread without a folder; otherwise as the start of a session, `resume`
 * and the answers.
 */
export type AgUiRuns = (request: AgUiRequest, signal: AbortSignal) => Promise<AgUiRun>;

export interface AgUiNeeds {
  sessions(): Sessions;
  startSession(request: StartRequest): Promise<{ sessionId: string }>;
}

const runError = defineErrors('SESSION_NOT_READY');

export function createAgUiRuns({ sessions, startSession }: AgUiNeeds): AgUiRuns {
  const starting = new Set<string>();
  const startOnce = async (request: StartRequest & { sessionId: string }): Promise<void> => {
    if (starting.has(request.sessionId)) throw runError('SESSION_NOT_READY', { reason: 'session-starts' });
    starting.add(request.sessionId);
    try {
      await startSession(request);
    } finally {
      starting.delete(request.sessionId);
    }
  };
  return async (request, signal) => {
    const all = sessions();
    const sessionId = sessionOf(request.threadId, all);
    if (request.resume) return resumeRun(all, { sessionId, resume: request.resume, signal });
    const message = await newMessage(request, all);
    if (all.has(sessionId)) {
      const { lastSeq } = await all.read(sessionId);
      await all.turns.resume(sessionId, message);
      return follow(all, { sessionId, after: lastSeq, signal });
    }
    const { projectId, folder } = request.start;
    if ((projectId === undefined) === (folder === undefined)) throw commonError('QUERY_INVALID', { reason: 'folder' });
    await startOnce({ ...request.start, ...message, sessionId });
    return follow(all, { sessionId, after: 0, signal });
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A thread is the session of the same id; a name that is no UUID always gives the same one (RFC 9562, version 8). */
function sessionOf(threadId: string, sessions: Sessions): string {
  if (UUID.test(threadId) || sessions.has(threadId)) return threadId;
  const digits = createHash('sha256').update(`ag-ui:${threadId}`).digest('hex');
  const variant = ((Number.parseInt(digits[16] ?? '0', 16) & 3) | 8).toString(16);
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `8${digits.slice(13, 16)}`];
  return [...parts, `${variant}${digits.slice(17, 20)}`, digits.slice(20, 32)].join('-');
}

async function newMessage({ messages, context }: AgUiRequest, { images }: Sessions) {
  const last = messages.at(-1);
  if (last?.role !== 'user' || (!last.text.trim() && !last.images.length)) {
    throw commonError('QUERY_INVALID', { reason: 'message' });
  }
  const uploaded = await Promise.all(last.images.map(({ dataUrl }) => images.upload({ name: 'image', dataUrl })));
  return {
    message: last.text,
    images: uploaded.map(({ id }) => ({ id })),
    ...(context.length && { modelText: [last.text, contextText(context)].join('\n\n') }),
  };
}

function contextText(context: AgUiRequest['context']): string {
  const facts = context.map(({ description, value }) => `- ${description}: ${value}`);
  return ['Context from the application:', ...facts].join('\n');
}

interface Resumed {
  sessionId: string;
  resume: AgUiAnswer;
  signal: AbortSignal;
}

async function resumeRun(sessions: Sessions, { sessionId, resume, signal }: Resumed): Promise<AgUiRun> {
  const { events } = await sessions.export(sessionId);
  const asked = (events as NumberedEvent[]).findLast((event) => requestOf(event) === resume.requestId)?._sequenza;
  if (asked === undefined) throw commonError('NOT_FOUND', { reason: 'request' });
  await giveAnswer(sessions, sessionId, resume);
  const before = (events as NumberedEvent[]).filter(({ _sequenza = 0 }) => _sequenza <= asked);
  return { ...(await follow(sessions, { sessionId, after: asked, signal })), before, isContinued: true };
}

/** The request that an event shows to the user, if it shows one. */
function requestOf(event: NumberedEvent): string | undefined {
  if (event.type === 'ApprovalRequested' || event.type === 'UserQuestionRequested') return event.requestId;
  if (event.type !== 'CUSTOM') return undefined;
  const value = event.value as { requestId?: string; status?: string; stato?: string } | null;
  const isAsked = value?.status === 'proposed' || value?.stato === 'in-attesa';
  return isAsked ? value?.requestId : undefined;
}

async function giveAnswer({ requests }: Sessions, sessionId: string, { requestId, answer }: AgUiAnswer): Promise<void> {
  if (!answer) return;
  const pending = await requests.pending(sessionId);
  const kind = pending?.requestId === requestId ? pending.kind : answer.kind;
  if (kind === 'plan') throw commonError('QUERY_INVALID', { reason: 'plan' });
  if (answer.kind === 'question') await requests.answer(sessionId, { requestId, status: 'answered', ...answer });
  else if (answer.kind === 'cancelled' && kind === 'question') {
    await requests.answer(sessionId, { requestId, status: 'cancelled' });
  } else {
    await requests.approve(sessionId, { requestId, isApproved: answer.kind === 'approval' && answer.isApproved });
  }
}

interface Followed {
  sessionId: string;
  after: number;
  signal: AbortSignal;
}

async function follow(sessions: Sessions, { sessionId, after, signal }: Followed): Promise<AgUiRun> {
  const session = await sessions.read(sessionId);
  return { session, before: [], items: sessions.follow(sessionId, after, signal), isContinued: false };
}
