import { ChevronRight, Ellipsis, GitFork } from 'lucide-react';
import { useContext, useState } from 'react';
import { NavLink } from 'react-router';
import { lazyPart, Waiting } from '../parts/lazy-part.tsx';
import { NameInput } from '../parts/name-input.tsx';
import { SessionMark } from '../parts/session-mark.tsx';
import { useFirstPaint } from '../parts/use-after-paint.ts';
import { stateOf } from '../session/session-state.ts';
import { useRename } from '../wire/queries.ts';
import type { SessionRow } from '../wire/records.ts';
import { useWords, withWords } from '../words/words.ts';
import { KeepPlace, useKeptPlace } from './kept-place.ts';

const WorktreeMark = lazyPart(async () => (await withWords(import('./worktree-mark.tsx'))).WorktreeMark, {
  isQuiet: true,
});
const SessionMenu = lazyPart(async () => (await withWords(import('./session-menu.tsx'))).SessionMenu);

interface SessionLinkProps {
  row: SessionRow;
  /** The sub-agents of every session, by parent. */
  agentsOf: ReadonlyMap<string, readonly SessionRow[]>;
}

interface LineProps {
  row: SessionRow;
  name: string;
  rename: () => void;
}

interface MoreProps extends LineProps {
  /** Called when the menu opens and closes. */
  toggled: (isOpen: boolean) => void;
}

/** The button of a session's menu, whose code is loaded by the first click. */
function More({ row, name, rename, toggled }: MoreProps) {
  const { say } = useWords();
  const [hasMenu, setHasMenu] = useState(false);
  const button = (
    <button
      type="button"
      className="icon-button nav-act"
      tabIndex={-1}
      aria-label={say('session.menu', { name })}
      title={say('session.menu', { name })}
      aria-haspopup="menu"
      onClick={() => {
        setHasMenu(true);
        toggled(true);
      }}
    >
      <Ellipsis size={14} aria-hidden />
    </button>
  );
  if (!hasMenu) return button;
  return (
    <Waiting fallback={button}>
      <SessionMenu row={row} rename={rename} toggled={toggled} />
    </Waiting>
  );
}

/** After the paint: the browser takes 12 ms to load its first formatter of this kind. */
function Age({ at }: { at: string }) {
  const { ago } = useWords();
  return (
    <time className="nav-time tabular" dateTime={at}>
      {useFirstPaint() && ago(at)}
    </time>
  );
}

function Line({ row, name, rename }: LineProps) {
  return (
    <NavLink
      className="nav-row"
      data-roving
      tabIndex={-1}
      to={`/sessions/${row.sessionId}`}
      title={name}
      aria-keyshortcuts="F2"
      onKeyDown={(event) => {
        if (event.key === 'F2') rename();
      }}
    >
      <SessionMark state={stateOf(row)} />
      <span className="nav-name">
        {row.forkOf && <GitFork size={12} aria-hidden />} <WorktreeMark sessionId={row.sessionId} /> {name}
      </span>
      <Age at={row.lastAnswerAt ?? row.startedAt} />
    </NavLink>
  );
}

/** A session in the list: state, name, menu, and its sub-agents below it. */
export function SessionLink({ row, agentsOf }: SessionLinkProps) {
  const { say } = useWords();
  const [isRenamed, setIsRenamed] = useState(false);
  const agents = agentsOf.get(row.sessionId) ?? [];
  // Running or waiting sub-agents are always visible.
  const [isOpen, setIsOpen] = useState<boolean>();
  const isShown = isOpen ?? agents.some((agent) => ['waiting', 'running'].includes(stateOf(agent)));
  const rename = useRename(row.sessionId);
  const keep = useContext(KeepPlace);
  const [hasOpenMenu, setHasOpenMenu] = useState(false);
  useKeptPlace(row, hasOpenMenu || isRenamed);
  const name = (rename.isPending ? rename.variables.name : row.name) ?? say('session.untitled');
  if (isRenamed) {
    return (
      <li className="nav-rename">
        <NameInput
          name={name}
          label={say('session.rename')}
          done={(name) => {
            setIsRenamed(false);
            if (name !== undefined) rename.mutate({ name });
          }}
        />
      </li>
    );
  }
  const edit = () => {
    setIsRenamed(true);
    // The menu is gone before it could report its end.
    setHasOpenMenu(false);
  };
  return (
    <li>
      <div className="nav-line">
        <Line row={row} name={name} rename={edit} />
        {agents.length > 0 && (
          <button
            type="button"
            className="icon-button nav-fold"
            tabIndex={-1}
            aria-expanded={isShown}
            aria-label={say('session.agents', { count: agents.length })}
            title={say('session.agents', { count: agents.length })}
            onClick={() => setIsOpen(!isShown)}
          >
            <ChevronRight size={14} className="tree-mark" data-open={isShown || undefined} aria-hidden />
          </button>
        )}
        <More row={row} name={name} rename={edit} toggled={setHasOpenMenu} />
      </div>
      {isShown && agents.length > 0 && (
        <KeepPlace value={() => keep(row)}>
          <ul className="nav-agents">
            {agents.map((agent) => (
              <SessionLink key={agent.sessionId} row={agent} agentsOf={agentsOf} />
            ))}
          </ul>
        </KeepPlace>
      )}
    </li>
  );
}
