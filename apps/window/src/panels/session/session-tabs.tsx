import { type Conversation, netChanges } from '@fucina/conversation';
import { ChevronDown, GitBranch, Library, type LucideIcon, Puzzle, Telescope, Workflow } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { NavLink, useNavigate, useParams } from 'react-router';
import { nextFrame } from '../../ambient.ts';
import { Menu } from '../../parts/menu.tsx';
import { useConversationFact } from '../../session/use-session.tsx';
import type { SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { isOtherView, type OtherView } from './other-views.ts';

const TABS = ['changes', 'files', 'terminal', 'page'] as const satisfies readonly OtherView[];

const MORE = [
  ['git', GitBranch],
  ['workflows', Workflow],
  ['library', Library],
  ['research', Telescope],
  ['extensions', Puzzle],
] as const satisfies readonly (readonly [OtherView, LucideIcon])[];

const changesOf = (conversation: Conversation) => conversation.changes;
const waitingOf = (conversation: Conversation) => conversation.waiting.length;

/** The views that are not tabs. The current one is named in the place of “More”. */
function MoreViews({ base, view }: { base: string; view: string | undefined }) {
  const { say } = useWords();
  const navigate = useNavigate();
  const current = MORE.find(([name]) => name === view)?.[0];
  const name = current && say(`session.${current}`);
  return (
    <Menu
      className={`tab-more ${current ? 'active' : ''}`}
      label={name ? say('session.more.current', { name }) : say('session.more')}
      icon={
        <>
          {name ?? say('session.more')}
          <ChevronDown size={14} aria-hidden />
        </>
      }
      entries={MORE.map(([id, Icon]) => ({
        id,
        icon: <Icon size={14} aria-hidden />,
        name: say(`session.${id}`),
        act: () => void navigate(`${base}/${id}`),
      }))}
    />
  );
}

/** A request of the session or its sub-agents, while another view is shown. */
function WaitingCount({ row }: { row: SessionRow }) {
  const { say, number } = useWords();
  const own = useConversationFact(waitingOf);
  const count = own + (row.waitsForDescendant ? 1 : 0);
  if (count === 0) return null;
  return (
    <span className="count tabular" data-tone="ask" role="img" aria-label={say('session.waiting', { count })}>
      {number(count)}
    </span>
  );
}

/** The views of a session. */
export function SessionTabs({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const base = `/sessions/${row.sessionId}`;
  const changed = netChanges(useConversationFact(changesOf)).length;
  const { view } = useParams();
  const tabs = useRef<HTMLElement>(null);
  // If the tabs do not all fit, scrolls to the current one: in the next frame, whose layout is computed anyway.
  useEffect(
    () =>
      nextFrame(() => {
        tabs.current?.querySelector('.active')?.scrollIntoView({ inline: 'center', block: 'nearest' });
      }),
    [view],
  );
  return (
    <nav ref={tabs} className="tabs" aria-label={say('session.views')}>
      <NavLink to={base} end>
        {say('session.conversation')} {isOtherView(view) && <WaitingCount row={row} />}
      </NavLink>
      {TABS.map((name) => (
        <NavLink key={name} to={`${base}/${name}`}>
          {say(`session.${name}`)}{' '}
          {name === 'changes' && changed > 0 && <span className="count tabular">{changed}</span>}
        </NavLink>
      ))}
      <MoreViews base={base} view={view} />
    </nav>
  );
}
