import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useLocation, useParams } from 'react-router';
import { useConversation } from '../../session/use-session.tsx';
import { useWords } from '../../words/words.ts';
import { Row } from './row.tsx';
import { type TimelineItem, timelineItems } from './timeline-items.ts';

/** Within this distance the view counts as being at the end. */
const AT_END_PX = 48;
const GUESSES: Record<TimelineItem['kind'], number> = {
  user: 72,
  text: 120,
  reasoning: 32,
  tool: 32,
  reads: 32,
  approval: 32,
  question: 56,
  plan: 32,
  elicitation: 28,
  command: 64,
  artifact: 360,
  fallback: 28,
  mode: 28,
  workflow: 28,
  resumed: 0,
  undo: 0,
  end: 48,
  compaction: 40,
};

interface Follow {
  isFollowing: boolean;
  /** Items added since the user scrolled up. */
  below: number;
  toEnd: () => void;
  /** The view was scrolled by navigation. */
  leaveEnd: () => void;
}

/** The scroll position when the conversation left the screen; none at the end. */
interface Place {
  offset: number;
  sizes: VirtualItem[];
}

const places = new Map<string, Place>();

interface FollowNeeds {
  view: RefObject<HTMLDivElement | null>;
  count: number;
  height: number;
  place: Place | undefined;
  /** Called when the conversation leaves the screen, with its position, or undefined at its end. */
  leave: (offset: number | undefined) => void;
}

/** Keeps the view at the end while the user is there. */
function useFollow({ view, count, height, place, leave }: FollowNeeds): Follow {
  const following = useRef(!place);
  const last = useRef(place?.offset ?? 0);
  const [left, setLeft] = useState(place ? count : undefined);
  const toEnd = useCallback(() => {
    following.current = true;
    setLeft(undefined);
    if (view.current) view.current.scrollTop = view.current.scrollHeight;
  }, [view]);

  useLayoutEffect(() => {
    const element = view.current;
    if (!element) return;
    const listen = () => {
      const top = element.scrollTop;
      const isAtEnd = element.scrollHeight - top - element.clientHeight < AT_END_PX;
      // Growth never moves the view up: only the user does.
      if (isAtEnd) {
        following.current = true;
        setLeft(undefined);
      } else if (top < last.current - 2) {
        if (following.current) setLeft(count);
        following.current = false;
      }
      last.current = top;
    };
    element.addEventListener('scroll', listen, { passive: true });
    return () => element.removeEventListener('scroll', listen);
  }, [view, count]);

  useLayoutEffect(() => {
    if (following.current && view.current) view.current.scrollTop = view.current.scrollHeight;
  }, [count, height, view]);

  const leaveEnd = useCallback(() => {
    following.current = false;
    setLeft(count);
  }, [count]);

  const latest = useRef(leave);
  latest.current = leave;
  useEffect(() => () => latest.current(following.current ? undefined : last.current), []);

  return { isFollowing: left === undefined, below: left === undefined ? 0 : count - left, toEnd, leaveEnd };
}

/** Position of the message in the address, once the conversation is loaded. */
function useFoundPlace(items: readonly TimelineItem[], isReplayed: boolean): number | undefined {
  const { hash } = useLocation();
  const wanted = decodeURIComponent(hash.slice(1));
  if (!wanted || !isReplayed) return undefined;
  const place = items.findIndex((item) =>
    item.kind === 'user' ? item.reference === wanted : item.kind === 'text' && item.key === wanted,
  );
  return place === -1 ? undefined : place;
}

/** The conversation: only visible rows are drawn. */
export function Timeline({ foot, empty }: { foot: ReactNode; empty: ReactNode }) {
  const conversation = useConversation();
  const items = useMemo(() => timelineItems(conversation.items), [conversation.items]);
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const view = useRef<HTMLDivElement>(null);
  const [place] = useState(() => places.get(sessionId));
  const rows = useVirtualizer({
    ...(place ? { initialOffset: place.offset, initialMeasurementsCache: place.sizes } : {}),
    count: items.length,
    getScrollElement: () => view.current,
    estimateSize: (at) => GUESSES[items[at]?.kind ?? 'text'],
    getItemKey: (at) => `${items[at]?.kind}:${items[at]?.key}`,
    overscan: 8,
    // The first drawing has rows before the view is measured.
    initialRect: { width: 0, height: innerHeight },
    useFlushSync: false,
  });
  const height = rows.getTotalSize();
  const { isFollowing, below, toEnd, leaveEnd } = useFollow({
    view,
    count: items.length,
    height,
    place,
    leave: (offset) => {
      if (offset === undefined) places.delete(sessionId);
      else places.set(sessionId, { offset, sizes: rows.measurementsCache });
    },
  });
  const found = useFoundPlace(items, conversation.isReplayed);
  const latest = useRef({ rows, leaveEnd });
  latest.current = { rows, leaveEnd };
  useEffect(() => {
    if (found === undefined) return;
    latest.current.leaveEnd();
    latest.current.rows.scrollToIndex(found, { align: 'center' });
  }, [found]);
  const drawn = rows.getVirtualItems();
  return (
    <div className="timeline-frame">
      <div
        ref={view}
        className="timeline"
        role="log"
        aria-live="off"
        aria-label={say('session.conversation')}
        tabIndex={0}
      >
        {items.length === 0 && conversation.isReplayed ? empty : null}
        <div className="timeline-rows" style={{ height }}>
          {drawn.map((row) => {
            const item = items[row.index];
            return item ? (
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                className="timeline-row"
                data-found={row.index === found || undefined}
                data-hidden={conversation.hiddenTurns.includes(item.turn) || undefined}
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <Row item={item} isLast={row.index === items.length - 1} />
              </div>
            ) : null;
          })}
        </div>
        <div className="timeline-foot">{foot}</div>
      </div>
      {!isFollowing && (
        <button type="button" className="below" onClick={toEnd}>
          <ArrowDown size={14} aria-hidden />
          {below > 0 ? say('session.newBelow', { count: below }) : say('session.toEnd')}
        </button>
      )}
    </div>
  );
}
