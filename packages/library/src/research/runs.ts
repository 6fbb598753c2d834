import {
  type Ambient,
  type ModelClient,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  textStart,
} from '@fucina/shared';
import { libraryError } from '../errors.ts';
import type { Items } from '../items/items.ts';
import { createAsker, ModelUnavailable } from './ask.ts';
import { driveRun, type EngineEnd, type EngineNeeds } from './engine.ts';
import type { JournalEvent, NewEvent } from './journal.ts';
import type { Depth, LiveState, ResearchMeta, TerminalState } from './meta.ts';
import { type Recheck, recheck } from './recheck.ts';
import {
  type Balance,
  balanceOf,
  distinctProofs,
  oneLine,
  parseReport,
  type ReportRecord,
  reportText,
} from './report.ts';
import { type ResearchFiles, researchFiles, researchIds } from './research-files.ts';
import { type EngineState, foldRun, type RunState } from './run-state.ts';

export interface ResearchRow {
  meta: ResearchMeta;
  state: LiveState;
  balance: Balance | null;
  distinctProofs: number | null;
}

export interface ResearchDetail extends ResearchRow {
  run: RunState;
  report: string | null;
  /** A finished report that is damaged. */
  rejected: string | null;
  record: ReportRecord | undefined;
  journal: { events: number; skipped: number; state: EngineState } | null;
}

/**
 * The research reports of a project, each produced by the session of the same id. `project` is an absolute real path.
 * Invalid ids and damaged records are RESEARCH_INVALID; unknown ones RESEARCH_NOT_FOUND; actions that the current state
 * does not allow RESEARCH_CONFLICT.
 */
export interface ResearchRuns {
  /**
   * Returns at once: the session continues in the background. RESEARCH_INVALID for an empty question or one over 500
   * characters.
   */
  start(order: { parentId: string; question: string; depth: Depth }): Promise<{ id: string }>;
  /** Newest first; a damaged one does not hide others. */
  list(project: string): Promise<{ rows: ResearchRow[]; total: number }>;
  read(project: string, id: string): Promise<ResearchDetail>;
  /** Requests a pause; the current step finishes first. */
  pause(project: string, id: string): Promise<void>;
  resume(project: string, id: string): Promise<void>;
  cancel(project: string, id: string): Promise<void>;
  rename(project: string, id: string, title: string | null): Promise<void>;
  /** Also deletes the copy of its report in the library. Not while it runs. */
  remove(project: string, id: string): Promise<ResearchMeta>;
  /** Checks the sources of a finished run again. RESEARCH_RECHECK_UNAVAILABLE when none is reachable. */
  recheck(project: string, id: string): Promise<Recheck>;
  /** Whether the research engine produces this session's next answer. */
  isUnderWay(project: string, id: string): Promise<boolean>;
  /** The engine in place of a model; requires `request.external`. */
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<readonly ModelEvent[]>;
}

export interface ResearchNeeds extends EngineNeeds {
  client: ModelClient;
  items: Pick<Items, 'add' | 'remove'>;
  /** A session of level Research under another; `prepare` finishes before its first turn starts. */
  startSession(order: {
    parentId: string;
    message: string;
    name: string;
    prepare(session: { id: string; folder: string }): Promise<void>;
  }): Promise<{ sessionId: string }>;
  /** Undefined for a deleted session. */
  sessionState(id: string): Promise<'running' | 'closed' | 'interrupted' | undefined>;
  /** Starts the session's next turn. Throws what sessions throw. */
  goOn(id: string): Promise<void>;
  /** Ends the session's turn, if one runs. */
  stop(id: string): Promise<void>;
}

const MOST_ROWS = 20;
const NAME_CHARS = 80;
const MESSAGE_CHARS = 2_000;

const CANCELLED: ModelFailure = {
  class: 'cancelled',
  code: 'CANCELLED',
  message: 'The research was stopped.',
  httpStatus: null,
  retryAfterMs: null,
  isOutcomeKnown: true,
};

const ENDS: Record<Exclude<EngineEnd, 'written' | 'paused'>, TerminalState> = {
  'no-sources': 'failed',
  'no-answer': 'senza-rapporto',
  blocked: 'bloccata-dal-permesso',
  turns: 'giri-esauriti',
};

export function createResearchRuns(needs: ResearchNeeds): ResearchRuns {
  const { ambient } = needs;
  const pausing = new Set<string>();
  const now = (): string => new Date(ambient.now()).toISOString();
  /** Reads the session first: a run that ends in the meantime has its record by then, and does not look paused. */
  const find = async (files: ResearchFiles, id: string): Promise<Found | undefined> => {
    const session = await needs.sessionState(id);
    const meta = await files.meta();
    return meta && { files, meta, session, state: stateOf(meta, session) };
  };
  const present = async (project: string, id: string): Promise<Found> => {
    const found = await find(researchFiles(project, id), id);
    if (!found) throw libraryError('RESEARCH_NOT_FOUND');
    return found;
  };
  const note = (files: ResearchFiles, event: NewEvent): Promise<void> =>
    files.append([{ ...event, at: now() } as JournalEvent]);

  return {
    async start({ parentId, question, depth }) {
      const asked = oneLine(question);
      if (asked === '' || asked.length > 500) throw libraryError('RESEARCH_INVALID', { reason: 'question' });
      const name = [...asked].slice(0, NAME_CHARS).join('');
      let made: ResearchFiles | undefined;
      try {
        const { sessionId } = await needs.startSession({
          parentId,
          message: asked,
          name,
          async prepare({ id, folder }) {
            made = researchFiles(folder, id);
            await made.saveMeta(newMeta({ id, question: asked, depth, parentId, name, at: now() }));
          },
        });
        return { id: sessionId };
      } catch (error) {
        // Its id was never returned: it must not stay without its session.
        await made?.remove().catch((left: unknown) => ambient.log.warn('research.not-removed', { error: left }));
        throw error;
      }
    },

    async list(project) {
      const rows: ResearchRow[] = [];
      for (const id of await researchIds(project)) {
        const files = researchFiles(project, id);
        const found = await find(files, id).catch((error: unknown) => {
          ambient.log.warn('research.not-read', { error });
          return undefined;
        });
        if (found) rows.push((await rowOf(found)).row);
      }
      rows.sort((one, other) => Date.parse(other.meta.avviataAlle) - Date.parse(one.meta.avviataAlle));
      return { rows: rows.slice(0, MOST_ROWS), total: rows.length };
    },

    async read(project, id) {
      const found = await present(project, id);
      const { row, text = null, parsed } = await rowOf(found);
      const { events, skipped } = await found.files.journal();
      const run = foldRun(events, row.state === 'running');
      return {
        ...row,
        run,
        record: parsed?.record,
        report: parsed?.record ? text : null,
        rejected: parsed && !parsed.record ? text : null,
        journal: events.length ? { events: events.length, skipped, state: run.state } : null,
      };
    },

    async pause(project, id) {
      const { files, state } = await present(project, id);
      expect(state, 'running');
      if (pausing.has(id)) return;
      pausing.add(id);
      await note(files, { type: 'run_pause_requested' });
    },

    async resume(project, id) {
      const { files, meta, session, state } = await present(project, id);
      expect(state, 'paused', 'failed');
      if (meta.terminata || session === undefined) {
        throw libraryError('RESEARCH_CONFLICT', { reason: 'over' });
      }
      // It came as the turn before ended.
      pausing.delete(id);
      const { events } = await files.journal();
      if (events.length === 0) throw libraryError('RESEARCH_CONFLICT', { reason: 'no-journal' });
      await needs.goOn(id);
    },

    async cancel(project, id) {
      const { files, meta } = await present(project, id);
      if (meta.terminata) throw libraryError('RESEARCH_CONFLICT', { reason: 'over' });
      await note(files, { type: 'run_cancelled' });
      await files.saveMeta({ ...meta, terminata: 'cancelled', aggiornataAlle: now(), conclusaAlle: now() });
      await needs.stop(id);
    },

    async rename(project, id, title) {
      const { files, meta } = await present(project, id);
      await note(files, { type: 'run_renamed', title });
      await files.saveMeta({ ...meta, titolo: title, aggiornataAlle: now() });
    },

    async remove(project, id) {
      const { files, meta, state } = await present(project, id);
      if (state === 'running') throw libraryError('RESEARCH_CONFLICT', { reason: 'is-running' });
      if (meta.reportLibraryId !== null) await removeCopy(needs, project, meta.reportLibraryId);
      await files.remove();
      return meta;
    },

    async recheck(project, id) {
      const { files, state } = await present(project, id);
      expect(state, 'done');
      return recheck({ ...needs, files });
    },

    async isUnderWay(project, id) {
      const meta = await researchFiles(project, id)
        .meta()
        .catch(() => undefined);
      return meta !== undefined && meta.terminata === null;
    },

    async *stream({ model, reasoning, fallback, external, traceparent }, signal) {
      if (!external) throw new Error('a research runs in the turn of its session');
      const { files, meta } = await present(external.folder, external.sessionId);
      const request = { model, traceparent, ...(reasoning && { reasoning }), ...(fallback && { fallback }) };
      const asker = createAsker({ ...needs, request });
      const isPauseAsked = (): boolean => pausing.has(meta.id);
      try {
        const end = yield* driveRun(needs, { files, meta, asker, hands: external, signal, isPauseAsked });
        const text =
          end === 'paused' ? 'Paused.' : await finish(needs, { files, project: external.folder, end, model });
        yield [
          { type: 'text', delta: `\n${text}` },
          { type: 'usage', usage: asker.usage() },
          { type: 'finish', reason: 'stop' },
        ];
      } catch (error) {
        if (!signal.aborted && !(error instanceof ModelUnavailable)) throw error;
        yield [{ type: 'failure', failure: error instanceof ModelUnavailable ? error.failure : CANCELLED }];
      } finally {
        // A pause applies to one turn: the next one continues.
        pausing.delete(meta.id);
      }
    },
  };
}

type SessionState = Awaited<ReturnType<ResearchNeeds['sessionState']>>;

interface Found {
  files: ResearchFiles;
  meta: ResearchMeta;
  session: SessionState;
  state: LiveState;
}

function stateOf({ terminata }: ResearchMeta, session: SessionState): LiveState {
  if (terminata) return terminata;
  if (session === undefined || session === 'interrupted') return 'failed';
  return session === 'closed' ? 'paused' : 'running';
}

function expect(state: LiveState, ...states: LiveState[]): void {
  if (!states.includes(state)) throw libraryError('RESEARCH_CONFLICT', { reason: `is-${state}` });
}

async function rowOf({ files, meta, state }: Found) {
  const text = await files.report();
  const parsed = text === undefined ? undefined : parseReport(text);
  const record = parsed?.record;
  const row: ResearchRow = {
    meta,
    state,
    balance: record ? balanceOf(record) : null,
    distinctProofs: record ? distinctProofs(record) : null,
  };
  return { row, text, parsed };
}

interface NewMeta {
  id: string;
  question: string;
  depth: Depth;
  parentId: string;
  name: string;
  at: string;
}

function newMeta({ id, question, depth, parentId, name, at }: NewMeta): ResearchMeta {
  return {
    formato: 2,
    id,
    domanda: question,
    profondita: depth,
    titolo: null,
    avviataAlle: at,
    aggiornataAlle: at,
    terminata: null,
    reportLibraryId: null,
    conclusaAlle: null,
    ultimoMessaggio: null,
    motivoDettaglio: null,
    padreId: parentId,
    nome: name,
  };
}

interface Ending {
  files: ResearchFiles;
  project: string;
  end: Exclude<EngineEnd, 'paused'>;
  model: string;
}

/** Stores the report and decides how the run ended; returns the last message of the conversation. */
async function finish(
  { ambient, items }: { ambient: Ambient; items: Pick<Items, 'add'> },
  { files, project, end, model }: Ending,
): Promise<string> {
  const meta = (await files.meta()) as ResearchMeta;
  // Cancelled during the last step: the run counts as cancelled.
  if (meta.terminata) return '';
  const run = foldRun((await files.journal()).events);
  const text = reportText(run, { question: meta.domanda, judge: model });
  const { body, record } = parseReport(text);
  const isDone = end === 'written' && record !== undefined;
  const terminata = end === 'written' ? (isDone ? 'done' : 'senza-rapporto') : ENDS[end];
  if (text !== '') await files.saveReport(text);
  const title = meta.titolo ?? run.title ?? meta.domanda;
  const item = isDone
    ? await items.add(project, {
        name: `${[...oneLine(title)].slice(0, NAME_CHARS).join('')}.md`,
        content: Buffer.from(`${body}\n`),
        origin: 'generated',
        madeBy: 'research',
        isAlone: true,
        model,
        sessionId: meta.id,
      })
    : undefined;
  const at = new Date(ambient.now()).toISOString();
  const last = isDone ? (run.draft?.summary ?? '') : `The research ended without a report (${end}).`;
  await files.append([{ type: 'run_finished', state: terminata, at }]);
  await files.saveMeta({
    ...meta,
    titolo: meta.titolo ?? run.title,
    terminata,
    reportLibraryId: item?.id ?? null,
    aggiornataAlle: at,
    conclusaAlle: at,
    ultimoMessaggio: textStart(last, MESSAGE_CHARS),
    motivoDettaglio: isDone ? null : end,
  });
  return last;
}

async function removeCopy({ items }: { items: Pick<Items, 'remove'> }, project: string, id: string): Promise<void> {
  try {
    await items.remove(project, id);
  } catch {
    // The user deleted it, or it is damaged: the report is deleted anyway.
  }
}
