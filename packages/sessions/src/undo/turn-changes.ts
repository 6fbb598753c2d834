import { posix, relative, sep } from 'node:path';
import { isWithin, type StatePatch } from '@fucina/shared';
import type { Registry } from '../registry.ts';
import type { Unrecorded } from '../state/unrecorded.ts';
import type { SessionRecord } from '../store/store.ts';
import type { StampedDelta, TurnMark, TurnTable } from '../store/turn-table.ts';
import { textHash } from './change-events.ts';
import type { FileHistory } from './file-history.ts';

/** A file before or after a change. */
export interface FileSide {
  /** False: the file did not exist. */
  isThere: boolean;
  /** undefined: it existed, but its content is unknown. */
  sha256: string | undefined;
  /** The content itself, if the journal contains it; else it may be stored under its hash. */
  text: string | undefined;
  mode: number | undefined;
}

export interface NetChange {
  path: string;
  before: FileSide;
  after: FileSide;
}

export interface TurnChanges {
  turns(record: SessionRecord): TurnMark[];
  hasChanged(record: SessionRecord, turn: TurnMark): boolean;
  /**
   * The change of each file by a turn, from its first to its last write, sub-agents included. If someone else changed a
   * file in between, their version is the start.
   */
  of(record: SessionRecord, turn: TurnMark): NetChange[];
  /** What these turns may have changed beside it. */
  unrecorded(record: SessionRecord, turns: readonly TurnMark[]): Unrecorded;
  /** The same for several turns together. */
  ofAll(record: SessionRecord, turns: readonly TurnMark[]): NetChange[];
  bytesOf(side: FileSide): Promise<Buffer | undefined>;
}

interface TurnChangesNeeds {
  table: TurnTable;
  registry: Pick<Registry, 'descendants'>;
  history: Pick<FileHistory, 'read'>;
}

const FILE = '/file/';
const OUTSIDE = /^(?:\.\.(?:\/|$)|\/)/;

export function createTurnChanges({ table, registry, history }: TurnChangesNeeds): TurnChanges {
  /** Those that work in the session's own folder. The worktree of an agent does not count, even inside that folder. */
  const agentsOf = (record: SessionRecord): SessionRecord[] => {
    const { folder, isolatedIn } = record.header;
    return registry
      .descendants(record)
      .filter(({ header }) => header.isolatedIn === isolatedIn && isWithin(folder, header.folder));
  };
  const deltasOf = (record: SessionRecord, turn: TurnMark) =>
    [
      ...table.deltas(record.key, turn.seq),
      ...agentsOf(record).flatMap(({ key, header }) =>
        table.deltasBetween(key, turn.at, turn.until).map((one) => seenFrom(record.header.folder, header.folder, one)),
      ),
    ].sort((one, other) => one.at - other.at);

  const ofAll: TurnChanges['ofAll'] = (record, turns) =>
    netChanges(turns.flatMap((turn) => deltasOf(record, turn).flatMap(({ delta }) => delta)));

  return {
    turns: ({ key }) => table.turns(key),
    hasChanged: (record, turn) =>
      table.changed(record.key).has(turn.seq) ||
      agentsOf(record).some(({ key }) =>
        table.deltasBetween(key, turn.at, turn.until).some(({ delta }) => delta.length > 0),
      ),
    of: (record, turn) => ofAll(record, [turn]),
    unrecorded(record, turns) {
      const deltas = turns.flatMap((turn) => deltasOf(record, turn));
      const recorded = new Set(deltas.flatMap(({ delta }) => delta.map(({ path }) => path)));
      const contested = new Set(deltas.flatMap((one) => one.contested).filter((path) => !recorded.has(FILE + path)));
      return {
        omitted: deltas.reduce((sum, { omitted }) => sum + omitted, 0),
        isPartial: deltas.some(({ isPartial }) => isPartial),
        contested: [...contested].sort(),
      };
    },
    ofAll,
    async bytesOf({ text, sha256 }) {
      if (text !== undefined) return Buffer.from(text, 'utf8');
      return sha256 === undefined ? undefined : history.read(sha256);
    },
  };
}

/** An agent records paths relative to its own folder, which may be a subfolder of `folder`. */
function seenFrom(folder: string, agentFolder: string, stamped: StampedDelta): StampedDelta {
  const prefix = relative(folder, agentFolder).split(sep).join('/');
  if (prefix === '') return stamped;
  const moved = (patch: StatePatch): StatePatch => {
    const path = patch.path.slice(FILE.length);
    const isRelative = patch.path.startsWith(FILE) && !posix.isAbsolute(path);
    return isRelative ? { ...patch, path: FILE + posix.join(prefix, path) } : patch;
  };
  const contested = stamped.contested.map((path) => posix.join(prefix, path));
  return { ...stamped, delta: stamped.delta.map(moved), contested };
}

function netChanges(patches: readonly StatePatch[]): NetChange[] {
  const net = new Map<string, NetChange>();
  for (const patch of patches) {
    const path = patch.path.slice(FILE.length);
    if (!patch.path.startsWith(FILE) || OUTSIDE.test(path)) continue;
    const { before, after } = sidesOf(patch);
    const known = net.get(path);
    const isContinued = known && isContinuation(known.after, before);
    const first = isContinued ? { ...known.before, mode: known.before.mode ?? before.mode } : before;
    net.set(path, { path, before: first, after: inheriting(after, before, known) });
  }
  return [...net.values()]
    .filter(({ before, after }) => !isSameSide(before, after))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

function sidesOf({ op, value, prima, primaBlob, dopoBlob, primaModo, dopoModo }: StatePatch): Omit<NetChange, 'path'> {
  const text = typeof value === 'string' && !dopoBlob ? value : undefined;
  return {
    before: {
      isThere: op !== 'add',
      sha256: primaBlob ?? textHash(prima),
      text: primaBlob ? undefined : prima,
      mode: primaModo,
    },
    after: { isThere: op !== 'remove', sha256: dopoBlob ?? textHash(text), text, mode: dopoModo },
  };
}

/** Unknown content counts as unchanged, because nothing says otherwise. */
function isContinuation(left: FileSide, found: FileSide): boolean {
  if (left.isThere !== found.isThere) return false;
  return left.sha256 === undefined || found.sha256 === undefined || left.sha256 === found.sha256;
}

/** A write without recorded permissions left them unchanged. */
function inheriting(after: FileSide, before: FileSide, known: NetChange | undefined): FileSide {
  if (!after.isThere || after.mode !== undefined || before.mode !== undefined) return after;
  return { ...after, mode: known?.after.mode };
}

export function isSameSide(one: FileSide, other: FileSide): boolean {
  if (!one.isThere || !other.isThere) return one.isThere === other.isThere;
  return one.sha256 !== undefined && one.sha256 === other.sha256 && one.mode === other.mode;
}
