import type { Registry } from '../registry.ts';
import { CUSTOM_EVENTS, customEvent, type SkipReason, type UndoValue } from '../state/custom-events.ts';
import type { Unrecorded } from '../state/unrecorded.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import type { TurnMark } from '../store/turn-table.ts';
import { changeEvents, exactText, foundPatch } from './change-events.ts';
import type { FileChanges } from './file-changes.ts';
import type { FileHistory, FileVersion } from './file-history.ts';
import { type FileSide, isSameSide, type NetChange, type TurnChanges } from './turn-changes.ts';

/** Undoes and redoes a turn: its files, its part of the conversation, or both. */
export interface Undo {
  /** The newest turn that can be undone in this way. */
  undo(record: SessionRecord, wanted: UndoOptions, signal: AbortSignal): Promise<UndoOutcome>;
  /** Each turn from `since` on that can be undone in this way, newest first. */
  undoSince(
    record: SessionRecord,
    wanted: UndoOptions & { since: TurnMark },
    signal: AbortSignal,
  ): Promise<UndoOutcome[]>;
  /** What undoing the file changes of these turns would do. */
  preview(record: SessionRecord, since: TurnMark): Promise<RestorePreview>;
  /** Changes from `since` on that nobody can undo, since they were not recorded. Waits for running scans. */
  unrecorded(record: SessionRecord, since: TurnMark): Promise<Unknown>;
  /** The turn that was undone last, if no turn has changed files since. */
  redo(record: SessionRecord, signal: AbortSignal): Promise<UndoOutcome>;
  /** Every turn that `redo` would redo one after the other. Each is tried once, also when all its files are skipped. */
  redoAll(record: SessionRecord, signal: AbortSignal): Promise<UndoOutcome[]>;
  /** Whether a sub-agent of the conversation is still running: then nothing is undone or redone. */
  isBusy(record: SessionRecord): boolean;
}

export interface UndoOptions {
  files: boolean;
  chat: boolean;
}

export type UndoOutcome =
  | ({ kind: 'nothing' } & Left)
  /** A sub-agent of the conversation is still running. */
  | { kind: 'busy' }
  | ({
      kind: 'done';
      turn: TurnMark;
      done: readonly string[];
      /** `compacted`: only a summary of it remains, from which it cannot be removed. */
      chat: 'done' | 'compacted' | 'not-asked';
    } & Left);

/** What was left as it is. */
interface Left extends Pick<Unrecorded, 'omitted' | 'isPartial'> {
  skipped: readonly Skipped[];
}

/** Changes that were not recorded; absent: none. */
export type Unknown = Partial<Pick<Unrecorded, 'omitted' | 'isPartial'>>;

export interface RestorePreview extends Unknown {
  files: PreviewedFile[];
}

export interface PreviewedFile {
  path: string;
  effect: 'restored' | 'removed' | 'recreated';
  /** Why the file would be left alone. */
  problem: SkipReason | null;
}

export interface Skipped {
  path: string;
  reason: SkipReason;
  /** For files that someone else changed: the turn's version, and the current one. */
  left?: FileSide;
  present?: FileVersion | null;
}

interface UndoNeeds {
  registry: Registry;
  store: Pick<SessionStore, 'compactions'>;
  changes: FileChanges;
  turnChanges: TurnChanges;
  history: FileHistory;
}

type Direction = UndoValue['tipo'];

interface Step {
  path: string;
  from: FileSide;
  to: FileSide;
}

interface Ready extends Step {
  /** Null: delete the file. */
  bytes: Buffer | null;
}

type Looked = { kind: 'there' } | { kind: 'ready'; ready: Ready } | { kind: 'skipped'; skipped: Skipped };

export function createUndo(needs: UndoNeeds): Undo {
  const { registry, store, changes, turnChanges, history } = needs;

  const look = async (folder: string, step: Step): Promise<Looked> => {
    const skip = (reason: SkipReason, more: Partial<Skipped> = {}): Looked => ({
      kind: 'skipped',
      skipped: { path: step.path, reason, ...more },
    });
    const present = await history.look(folder, step.path);
    if (present === undefined) return skip('non-accessibile');
    if (isAs(present, step.to)) return { kind: 'there' };
    if (step.from.isThere && step.from.sha256 === undefined) return skip('troppo-grande');
    if (!isAs(present, step.from)) return skip('cambiato', { left: step.from, present });
    const bytes = step.to.isThere ? await turnChanges.bytesOf(step.to) : null;
    return bytes === undefined ? skip('non-conservato') : { kind: 'ready', ready: { ...step, bytes } };
  };

  const carryOut = async (folder: string, { path, from, to, bytes }: Ready, bornAfter: number): Promise<Restored> => {
    // The current content must be stored for redo.
    if (from.isThere && from.text === undefined && !(await history.secure(folder, path))) return 'troppo-grande';
    const restored = await history.restore(folder, {
      path,
      expected: from.isThere ? { sha256: from.sha256 ?? '', mode: from.mode } : null,
      wanted: bytes && { bytes, mode: to.mode },
      bornAfter,
    });
    return restored === 'done' ? 'done' : restored === 'changed' ? 'cambiato' : 'non-accessibile';
  };

  const apply = async (record: SessionRecord, order: Order): Promise<UndoOutcome> => {
    const { turn, direction, request, left, signal } = order;
    const { folder } = record.header;
    const net = request.files ? turnChanges.of(record, turn) : [];
    const looked: Looked[] = [];
    for (const change of net) looked.push(await look(folder, stepOf(change, direction)));
    const ready = looked.flatMap((one) => (one.kind === 'ready' ? [one.ready] : []));
    const skipped = [...looked.flatMap((one) => (one.kind === 'skipped' ? [one.skipped] : [])), ...left.skipped];
    const chat = request.chat ? chatOf(record, turn) : 'not-asked';
    const value = { schema: 'svc.annullamento.v1' as const, tipo: direction, giro: turn.seq, chat: chat === 'done' };
    const undoEvent = (fase: UndoValue['fase'], file: string[]) =>
      customEvent(CUSTOM_EVENTS.undo, {
        ...value,
        fase,
        file,
        saltati: skipped.map(({ path, reason }) => ({ percorso: path, motivo: reason })),
      } satisfies UndoValue);
    registry.append(record, [
      undoEvent(
        'inizio',
        ready.map(({ path }) => path),
      ),
    ]);

    const written = changes.writing(
      record,
      ready.map(({ path }) => path),
    );
    try {
      const done: Ready[] = [];
      const restore = async (one: Ready): Promise<void> => {
        const restored = signal.aborted ? 'fermato' : await carryOut(folder, one, turn.at);
        if (restored === 'done') done.push(one);
        else skipped.push({ path: one.path, reason: restored });
      };
      // Deletions first, so that a file can be restored where a folder was created.
      const isGoing = ({ to }: Ready): boolean => !to.isThere;
      await sideBySide(ready.filter(isGoing), restore);
      await sideBySide(
        ready.filter((one) => !isGoing(one)),
        restore,
      );
      const patches = done.map((one) => foundPatch(...patchParts(one)));
      const paths = net.map(({ path }) => path).filter((path) => !skipped.some((one) => one.path === path));
      registry.append(record, [...changeEvents(patches), undoEvent('fine', paths)]);
      if (value.chat) registry.forget(record);
      return { ...left, kind: 'done', turn, done: paths, skipped, chat };
    } finally {
      written();
    }
  };

  const chatOf = (record: SessionRecord, turn: TurnMark): 'done' | 'compacted' =>
    turn.seq <= (store.compactions.current(record.key)?.coveredThrough ?? 0) ? 'compacted' : 'done';

  const isBusy = (record: SessionRecord): boolean =>
    registry.descendants(record).some(({ state }) => state === 'running');

  const isFilesUndone = ({ fold }: SessionRecord, { seq }: TurnMark): boolean =>
    fold.undone.some(({ turn, files }) => turn === seq && files);

  /** Whether it can be undone in this way. */
  const isLeft = (record: SessionRecord, turn: TurnMark, request: UndoOptions): boolean =>
    request.chat
      ? !record.fold.undone.some(({ turn: seq, chat }) => seq === turn.seq && chat)
      : !isFilesUndone(record, turn) && turnChanges.hasChanged(record, turn);

  const undoTurn = (record: SessionRecord, { request, ...order }: Omit<Order, 'direction'>): Promise<UndoOutcome> => {
    const files = request.files && !isFilesUndone(record, order.turn);
    return apply(record, { ...order, direction: 'undo', request: { ...request, files } });
  };
  /** What the turns from `since` on may have changed beside the recorded changes. */
  const leftSince = (record: SessionRecord, since: TurnMark | undefined, { files }: UndoOptions): Left => {
    if (!files || !since) return NOTHING_LEFT;
    const turns = turnsSince(record, since).filter((turn) => !isFilesUndone(record, turn));
    const { contested, ...left } = turnChanges.unrecorded(record, turns);
    return { ...left, skipped: contested.map((path) => ({ path, reason: 'incerto' })) };
  };

  /** Turns that can be redone, the one that was undone last first. */
  const redoable = (record: SessionRecord): Redoable[] => {
    const turns = new Map(turnChanges.turns(record).map((turn) => [turn.seq, turn]));
    return record.fold.undone.toReversed().flatMap(({ turn: seq, files, chat, canRedo }) => {
      const turn = turns.get(seq);
      return canRedo && turn ? [{ turn, files, chat }] : [];
    });
  };

  const redoTurn = (record: SessionRecord, { turn, ...request }: Redoable, signal: AbortSignal): Promise<UndoOutcome> =>
    apply(record, { turn, direction: 'redo', request, left: NOTHING_LEFT, signal });

  const turnsSince = (record: SessionRecord, { seq }: TurnMark): TurnMark[] =>
    turnChanges.turns(record).filter((turn) => turn.seq >= seq);

  return {
    async undo(record, request, signal) {
      if (isBusy(record)) return { kind: 'busy' };
      await changes.settled(record.header.sessionId);
      const turns = turnChanges.turns(record);
      const turn = turns.findLast((one) => isLeft(record, one, request));
      const left = leftSince(record, turn ?? turns[0], request);
      return turn ? undoTurn(record, { turn, request, left, signal }) : { kind: 'nothing', ...left };
    },

    async undoSince(record, { since, ...request }, signal) {
      if (isBusy(record)) return [{ kind: 'busy' }];
      await changes.settled(record.header.sessionId);
      const outcomes: UndoOutcome[] = [];
      let left = leftSince(record, since, request);
      for (const turn of turnsSince(record, since).toReversed()) {
        if (!isLeft(record, turn, request)) continue;
        outcomes.push(await undoTurn(record, { turn, request, left, signal }));
        left = NOTHING_LEFT;
      }
      return outcomes.length > 0 ? outcomes : [{ kind: 'nothing', ...left }];
    },

    async preview(record, since) {
      await changes.settled(record.header.sessionId);
      const turns = turnsSince(record, since).filter((turn) => !isFilesUndone(record, turn));
      const previews: PreviewedFile[] = [];
      for (const change of turnChanges.ofAll(record, turns)) {
        const looked = await look(record.header.folder, stepOf(change, 'undo'));
        const { path, before, after } = change;
        const effect = !before.isThere ? 'removed' : after.isThere ? 'restored' : 'recreated';
        if (looked.kind === 'there') continue;
        previews.push({ path, effect, problem: looked.kind === 'skipped' ? looked.skipped.reason : null });
      }
      const { contested, ...unknown } = turnChanges.unrecorded(record, turns);
      const others = contested.map((path) => ({
        path,
        effect: 'restored' as const,
        problem: 'incerto' as const,
      }));
      return { files: [...previews, ...others], ...unknownIn(unknown) };
    },

    async unrecorded(record, since) {
      await changes.settled(record.header.sessionId);
      return unknownIn(leftSince(record, since, { files: true, chat: false }));
    },

    async redo(record, signal) {
      if (isBusy(record)) return { kind: 'busy' };
      await changes.settled(record.header.sessionId);
      const [request] = redoable(record);
      return request ? redoTurn(record, request, signal) : { kind: 'nothing', ...NOTHING_LEFT };
    },

    async redoAll(record, signal) {
      if (isBusy(record)) return [{ kind: 'busy' }];
      await changes.settled(record.header.sessionId);
      const outcomes: UndoOutcome[] = [];
      for (const request of redoable(record)) outcomes.push(await redoTurn(record, request, signal));
      return outcomes;
    },

    isBusy,
  };
}

/** Each waits for the disk: in parallel, many wait once. */
const SIDE_BY_SIDE = 16;

async function sideBySide<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await act(item);
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker));
}

type Restored = 'done' | SkipReason;

interface Redoable extends UndoOptions {
  turn: TurnMark;
}

interface Order {
  turn: TurnMark;
  direction: Direction;
  request: UndoOptions;
  left: Left;
  signal: AbortSignal;
}

const unknownIn = ({ omitted, isPartial }: Required<Unknown>): Unknown => ({
  ...(omitted > 0 && { omitted }),
  ...(isPartial && { isPartial }),
});

const NOTHING_LEFT: Left = { omitted: 0, isPartial: false, skipped: [] };

function stepOf({ path, before, after }: NetChange, direction: Direction): Step {
  return direction === 'undo' ? { path, from: after, to: before } : { path, from: before, to: after };
}

/** Permissions are compared only if the journal records them. */
function isAs(present: FileVersion | null, side: FileSide): boolean {
  const now: FileSide = {
    isThere: present !== null,
    sha256: present?.sha256 ?? undefined,
    text: undefined,
    mode: side.mode === undefined ? undefined : present?.mode,
  };
  return isSameSide(now, side);
}

function patchParts({ path, from, to, bytes }: Ready): Parameters<typeof foundPatch> {
  const version = (side: FileSide): FileVersion | null =>
    side.isThere
      ? { sha256: side.sha256 ?? null, sizeBytes: 0, mode: side.mode ?? from.mode ?? to.mode ?? 0o644 }
      : null;
  const after = bytes && to.text === undefined ? exactText(bytes) : to.text;
  const isShort = (after?.length ?? 0) < MAX_REPORTED_TEXT;
  const texts = isShort && (!from.isThere || from.text !== undefined) && (!to.isThere || after !== undefined);
  return [{ path, before: version(from), after: version(to) }, texts ? { before: from.text, after } : undefined];
}

const MAX_REPORTED_TEXT = 192 * 1024;
