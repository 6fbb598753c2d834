import { userReference } from './context/conversation.ts';
import type { SessionRecord } from './store/store.ts';
import type { TurnMark } from './store/turn-table.ts';

export interface BranchPoint {
  /** The message that began the turn here. */
  reference: string;
  /** One session for each alternative, oldest first. */
  sessionIds: string[];
  /** The one whose turn is in this session. */
  current: string;
}

/** The turns of `record` that have alternatives: other sessions with the same turns before and another one there. */
export function branchPoints(
  record: SessionRecord,
  all: readonly SessionRecord[],
  turnsOf: (record: SessionRecord) => TurnMark[],
): BranchPoint[] {
  const byId = new Map(all.map((one) => [one.header.sessionId, one]));
  const family = createFamily(byId);
  const branches = all.filter(({ header }) => header.branchTurn !== null);
  const turns = turnsOf(record);
  const { sessionId } = record.header;
  return [...new Set(branches.map(({ header }) => header.branchTurn ?? 0))]
    .sort((one, other) => one - other)
    .flatMap((number) => {
      const turn = turns[number - 1];
      if (!turn) return [];
      const origin = family.origin(sessionId, number);
      const alternatives = branches.filter(
        ({ header }) => header.branchTurn === number && family.origin(header.sessionId, number) === origin,
      );
      const first = byId.get(origin);
      const sessionIds = [...(first ? [first] : []), ...alternatives]
        .filter((one) => turnsOf(one).length >= number)
        .sort((one, other) => one.header.startedAt - other.header.startedAt || one.key - other.key)
        .map(({ header }) => header.sessionId);
      const current = family.owner(sessionId, number);
      return sessionIds.length > 1 ? [{ reference: userReference(turn.seq), sessionIds, current }] : [];
    });
}

function createFamily(byId: ReadonlyMap<string, SessionRecord>) {
  const parentOf = (id: string): string | null => byId.get(id)?.header.forkOf ?? null;
  const branchTurnOf = (id: string): number | null => byId.get(id)?.header.branchTurn ?? null;

  /** The session in which a turn was first made: all others have a copy of it. */
  const owner = (sessionId: string, number: number): string => {
    let id = sessionId;
    for (;;) {
      const first = branchTurnOf(id);
      const parent = parentOf(id);
      if (first === null || parent === null || number >= first) return id;
      id = parent;
    }
  };

  /** The session whose turn was there before all its alternatives; perhaps deleted. */
  const origin = (sessionId: string, number: number): string => {
    let id = owner(sessionId, number);
    for (;;) {
      const parent = parentOf(id);
      if (branchTurnOf(id) !== number || parent === null) return id;
      id = owner(parent, number);
    }
  };

  return { owner, origin };
}
