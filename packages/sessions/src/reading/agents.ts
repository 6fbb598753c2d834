import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import type { SessionRecord, SessionStore } from '../store/store.ts';
import type { TimelineEntry } from '../store/timeline-table.ts';
import type { Activity } from './activity.ts';
import type { Views } from './views.ts';

/** The agents of a conversation: list, activity and timeline. */
export interface Agents {
  /** Oldest first; direct children of this session. */
  children(sessionId: string): Promise<ChildAgent[]>;
  /** For the whole conversation, whichever of its sessions is given. QUERY_INVALID for an invalid range. */
  timeline(sessionId: string, range: { after?: number; through?: number; limit?: number }): Promise<AgentTimeline>;
}

export interface ChildAgent {
  record: SessionRecord;
  activity: Activity;
  /** Files that this and another agent of the conversation both wrote. */
  collisions: { path: string; writtenBefore: string | null; writtenAfter: string | null }[];
}

export interface AgentTimeline {
  rootId: string;
  /** `partial` when the conversation is older than timelines. */
  coverage: 'complete' | 'partial' | 'unavailable';
  through: number;
  next: number | null;
  items: (TimelineEntry & { node: SessionRecord })[];
}

const DEFAULT_LIMIT = 250;
const MAX_LIMIT = 500;

interface AgentsNeeds {
  registry: Registry;
  store: SessionStore;
  views: Views;
}

export function createAgents({ registry, store, views }: AgentsNeeds): Agents {
  const rootOf = (record: SessionRecord): SessionRecord =>
    record.rootKey === record.key ? record : (registry.list().find(({ key }) => key === record.rootKey) ?? record);

  return {
    async children(sessionId) {
      const record = registry.get(sessionId);
      const family = [rootOf(record), ...registry.descendants(rootOf(record))];
      const activities = new Map<SessionRecord, Activity>();
      for (const one of family) activities.set(one, (await views.of(one)).activity.read());
      const parent = record.header.sessionId;
      return family
        .filter(({ header }) => header.parentId === parent)
        .map((child) => ({
          record: child,
          activity: activities.get(child) as Activity,
          collisions: collisionsOf(child, activities),
        }));
    },

    async timeline(sessionId, { after = 0, through, limit = DEFAULT_LIMIT }) {
      const root = rootOf(registry.get(sessionId));
      const last = store.timeline.last(root.key);
      const end = through ?? last;
      if (end > last || after > end) throw sessionsError('QUERY_INVALID', { reason: 'timeline-range' });
      if (limit < 1 || limit > MAX_LIMIT) throw sessionsError('QUERY_INVALID', { reason: 'timeline-limit' });
      const nodes = new Map([root, ...registry.descendants(root)].map((one) => [one.header.sessionId, one]));
      const page = store.timeline.page(root.key, { after, through: end, limit });
      const lastSeq = page.at(-1)?.seq ?? end;
      return {
        rootId: root.header.sessionId,
        coverage: coverageOf(root, store),
        through: end,
        next: page.length === limit && lastSeq < end ? lastSeq : null,
        items: page.map((entry) => ({ ...entry, node: nodes.get(entry.sessionId) ?? root })),
      };
    },
  };
}

/** A timeline without the conversation's first event was started later. */
function coverageOf(root: SessionRecord, store: SessionStore): AgentTimeline['coverage'] {
  const [first] = store.timeline.page(root.key, { after: 0, through: 1, limit: 1 });
  if (!first) return root.lastSeq ? 'unavailable' : 'complete';
  return first.sourceSeq === 1 && first.sessionId === root.header.sessionId ? 'complete' : 'partial';
}

function collisionsOf(
  child: SessionRecord,
  activities: ReadonlyMap<SessionRecord, Activity>,
): ChildAgent['collisions'] {
  const own = activities.get(child)?.written ?? [];
  return own.flatMap(({ path, at }) => {
    const others = [...activities]
      .filter(([record]) => record !== child && record.header.folder === child.header.folder)
      .flatMap(([record, { written }]) =>
        written.filter((one) => one.path === path).map((one) => ({ id: record.header.sessionId, at: one.at })),
      );
    if (!others.length) return [];
    const before = others.filter((one) => one.at <= at).at(-1);
    const after = others.find((one) => one.at > at);
    return [{ path, writtenBefore: before?.id ?? null, writtenAfter: after?.id ?? null }];
  });
}
