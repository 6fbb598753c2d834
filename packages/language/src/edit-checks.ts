import type { Ambient, KeyedQueue } from '@fucina/shared';
import { type Diagnostic, diagnosticsText, type FileDiagnostics, introduced } from './diagnostic.ts';
import type { Servers } from './servers.ts';
import { MAX_FILE_BYTES, textOf } from './text-of.ts';

/** What edits of a session break, as language servers see it. */
export interface EditChecks {
  /**
   * Lines for the model about new errors and warnings in the files that this session touched; empty when there are none,
   * no server is ready, or it does not answer within the time limit: then they are reported after a later edit.
   */
  afterEdit(edit: SessionEdit): Promise<string>;
  /** A session read a file and may edit it: starts its server, and has it look at the file. Returns at once. */
  expectEdit(file: { sessionId: string; folder: string; path: string }): void;
  /** The diagnostics of files that sessions touched or the user has open. */
  known(folder: string): readonly FileDiagnostics[];
  /** Of one file; waits for the server. Undefined when the file has none, or it does not answer. */
  ofFile(file: FileQuestion): Promise<readonly Diagnostic[] | undefined>;
  /** Returns the folders that no other session touched. */
  forget(sessionId: string): readonly string[];
}

export interface FileQuestion {
  folder: string;
  path: string;
  /** Unsaved text; default: as it is on disk. The server forgets it afterwards. */
  text?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface SessionEdit {
  sessionId: string;
  folder: string;
  changes: readonly { path: string; before: string | null; after: string | null }[];
  signal: AbortSignal;
}

interface EditChecksNeeds {
  ambient: Ambient;
  servers: Pick<Servers, 'of'>;
  inOrder: KeyedQueue;
}

/** A file that a session touched. */
interface Touched {
  /** The diagnostics that the model knows or that were there before; undefined until the server answered once. */
  seen?: readonly Diagnostic[];
  /** The text before the first edit. */
  first: string;
}

const DEADLINE_MS = 1_500;
/** For a user who looks at a file; a server may still have to start. */
const FILE_MS = 20_000;
/** Of which the server may take this long for its answer: edits wait meanwhile. */
const ANSWER_MS = 5_000;
/** For the server to look at a file without anybody waiting. */
const BACKGROUND_MS = 30_000;
/** Files that the session touched last are looked at again: an edit may break them. */
const MAX_OTHERS = 4;
const MAX_TOUCHED = 50;
const MAX_KNOWN = 500;

export function createEditChecks({ ambient, servers, inOrder }: EditChecksNeeds): EditChecks {
  const sessions = new Map<string, Map<string, Touched>>();
  const folders = new Map<string, Set<string>>();
  const known = new Map<string, Map<string, readonly Diagnostic[]>>();

  const touchedBy = (sessionId: string): Map<string, Touched> => {
    const files = sessions.get(sessionId) ?? new Map<string, Touched>();
    sessions.set(sessionId, files);
    return files;
  };
  const touch = (sessionId: string, path: string, first: string): Touched => {
    const files = touchedBy(sessionId);
    const file = files.get(path) ?? { first };
    files.delete(path);
    files.set(path, file);
    const [oldest] = files.keys();
    if (files.size > MAX_TOUCHED && oldest !== undefined) files.delete(oldest);
    return file;
  };
  const note = (folder: string, path: string, diagnostics: readonly Diagnostic[]): void => {
    const files = known.get(folder) ?? new Map<string, readonly Diagnostic[]>();
    known.set(folder, files);
    files.delete(path);
    if (diagnostics.length > 0 && files.size < MAX_KNOWN) files.set(path, diagnostics);
  };
  const lookingAhead = new Map<string, AbortController>();
  const enter = (sessionId: string, folder: string): void =>
    void folders.set(folder, (folders.get(folder) ?? new Set()).add(sessionId));
  const checks: Checks = { ambient, servers, inOrder, touchedBy, touch, note };

  /** For the user; the model is told with its next edit. */
  const lookLater = (file: FileQuestion): void => {
    const limit = limited(ambient, BACKGROUND_MS);
    void lookNow(checks, file, limit.signal)
      // The next edit or look asks again.
      .catch(() => undefined)
      .finally(limit.end);
  };

  return {
    async afterEdit({ sessionId, folder, changes, signal }) {
      const isRead = await anyServer(servers, folder, changes);
      if (!isRead) return '';
      enter(sessionId, folder);
      // Looking ahead must not delay an edit.
      lookingAhead.get(folder)?.abort(new Error('an edit came first'));
      lookingAhead.delete(folder);
      for (const { path, before } of changes) touch(sessionId, path, before ?? '');
      const limit = limited(ambient, DEADLINE_MS, signal);
      const found: Looked[] = [];
      const edit = { sessionId, folder, changes, signal: limit.signal };
      try {
        await Promise.race([inOrder(folder, () => lookAt(checks, edit, found)), aborted(limit.signal)]);
      } catch (error) {
        if (!limit.signal.aborted) ambient.log.warn('language-server.not-asked', { sessionId, error });
      } finally {
        limit.end();
      }
      const missing = changes.filter(({ path, after }) => after !== null && !found.some((one) => one.path === path));
      for (const { path } of missing) lookLater({ folder, path });
      return report(touchedBy(sessionId), found);
    },
    expectEdit({ sessionId, folder, path }) {
      enter(sessionId, folder);
      const ahead = lookingAhead.get(folder) ?? new AbortController();
      lookingAhead.set(folder, ahead);
      const limit = limited(ambient, BACKGROUND_MS, ahead.signal);
      void lookAhead(checks, { sessionId, folder, path, signal: limit.signal })
        // The edit itself asks again.
        .catch(() => undefined)
        .finally(limit.end);
    },
    known: (folder) => [...(known.get(folder) ?? [])].map(([path, diagnostics]) => ({ path, diagnostics })),
    async ofFile(question) {
      const limit = limited(ambient, FILE_MS, question.signal);
      try {
        return await Promise.race([lookNow(checks, question, limit.signal), aborted(limit.signal)]);
      } catch (error) {
        if (!limit.signal.aborted) ambient.log.warn('language-server.not-asked', { error });
        return undefined;
      } finally {
        limit.end();
      }
    },
    forget(sessionId) {
      sessions.delete(sessionId);
      const left = [...folders].filter(([, users]) => users.delete(sessionId) && users.size === 0);
      for (const [folder] of left) {
        folders.delete(folder);
        known.delete(folder);
      }
      return left.map(([folder]) => folder);
    },
  };
}

interface Checks extends EditChecksNeeds {
  touchedBy(sessionId: string): Map<string, Touched>;
  touch(sessionId: string, path: string, first: string): Touched;
  note(folder: string, path: string, diagnostics: readonly Diagnostic[]): void;
}

async function anyServer(
  servers: Pick<Servers, 'of'>,
  folder: string,
  changes: SessionEdit['changes'],
): Promise<boolean> {
  const each = await Promise.all(changes.map(({ path }) => servers.of(folder, path)));
  return each.some((one) => one !== undefined);
}

interface FileText {
  sessionId: string;
  folder: string;
  path: string;
  text: string;
  signal: AbortSignal;
}

interface Looked extends FileDiagnostics {
  /** Those that the session's edits introduced. */
  fresh: readonly Diagnostic[];
}

/** Adds to `found`, in this order: the edited files, then files touched before. */
async function lookAt(
  checks: Checks,
  { sessionId, folder, changes, signal }: SessionEdit,
  found: Looked[],
): Promise<void> {
  const edited = changes.flatMap(({ path, after }) => (after === null ? [] : [{ path, text: after }]));
  const others = [...checks.touchedBy(sessionId).keys()]
    .filter((path) => !changes.some((change) => change.path === path))
    .slice(-MAX_OTHERS);
  const look = async (path: string, text: string | undefined): Promise<void> => {
    const looked = text === undefined ? undefined : await lookAtFile(checks, { sessionId, folder, path, text, signal });
    signal.throwIfAborted();
    if (looked) found.push(looked);
  };
  for (const { path, text } of edited) await look(path, text);
  for (const path of others) await look(path, await textOf(folder, path));
}

/** What was found in time; the rest is still new the next time. */
function report(touched: ReadonlyMap<string, Touched>, found: readonly Looked[]): string {
  for (const { path, diagnostics } of found) {
    const file = touched.get(path);
    if (file) file.seen = diagnostics;
  }
  return diagnosticsText(found.map(({ path, fresh }) => ({ path, diagnostics: fresh })));
}

/** Undefined while its server does not answer. */
async function lookAtFile(
  checks: Checks,
  { sessionId, folder, path, text, signal }: FileText,
): Promise<Looked | undefined> {
  const file = await checks.servers.of(folder, path);
  const server = file?.server.use();
  const touched = checks.touchedBy(sessionId).get(path);
  if (!file || !server || !touched || text.length > MAX_FILE_BYTES) return undefined;
  const document = { path, languageId: file.languageId };
  const first = { ...document, text: touched.first, acceptsKnown: true };
  touched.seen ??= touched.first === '' ? [] : await server.documents.diagnostics(first, signal);
  const diagnostics = await server.documents.diagnostics({ ...document, text }, signal);
  checks.note(folder, path, diagnostics);
  return { path, diagnostics, fresh: introduced(diagnostics, touched.seen) };
}

/** Waits for the start outside the queue: edits do not wait for it. */
async function lookAhead(
  { servers, touch, touchedBy, inOrder }: Checks,
  { sessionId, folder, path, signal }: Omit<FileText, 'text'>,
): Promise<void> {
  const file = await servers.of(folder, path);
  const server = await file?.server.ready();
  if (!file || !server) return;
  await inOrder(folder, async () => {
    const text = await textOf(folder, path);
    if (text === undefined || touchedBy(sessionId).has(path)) return;
    const document = { path, languageId: file.languageId, text, acceptsKnown: true };
    const seen = await server.documents.diagnostics(document, signal);
    touch(sessionId, path, text).seen = seen;
  });
}

async function lookNow(
  { ambient, servers, note, inOrder }: Checks,
  { folder, path, text }: FileQuestion,
  signal: AbortSignal,
): Promise<readonly Diagnostic[] | undefined> {
  const file = await servers.of(folder, path);
  const server = await file?.server.ready();
  if (!file || !server) return undefined;
  return inOrder(folder, async () => {
    const onDisk = await textOf(folder, path);
    const asked = text ?? onDisk;
    if (asked === undefined) return undefined;
    const document = { path, languageId: file.languageId };
    const limit = limited(ambient, ANSWER_MS, signal);
    try {
      const found = await server.documents.diagnostics({ ...document, text: asked }, limit.signal);
      if (asked === onDisk) note(folder, path, found);
      return found;
    } finally {
      limit.end();
      if (asked !== onDisk)
        await (onDisk === undefined
          ? server.documents.close(path)
          : server.documents.open({ ...document, text: onDisk }));
    }
  });
}

/** Aborts after the time or with the other signal, whichever is first. */
function limited(
  ambient: Pick<Ambient, 'timer'>,
  ms: number,
  other?: AbortSignal,
): { signal: AbortSignal; end(): void } {
  const late = new AbortController();
  const end = ambient.timer(ms, () => late.abort(new Error(`no answer in ${ms} ms`)));
  return { signal: other ? AbortSignal.any([other, late.signal]) : late.signal, end };
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason as Error);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
