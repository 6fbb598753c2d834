import '../../styles/forms.css';
import '../../styles/worktrees.css';
import { useQuery } from '@tanstack/react-query';
import { FolderGit2 } from 'lucide-react';
import { Link } from 'react-router';
import { Menu } from '../../parts/menu.tsx';
import { SessionMark } from '../../parts/session-mark.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { stateOf } from '../../session/session-state.ts';
import { folderName, useWorktreeActions } from '../../shell/use-worktree-actions.tsx';
import { sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { type Worktree, worktreesQuery } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';
import { WorktreeFacts } from './worktree-facts.tsx';

interface RowProps {
  worktree: Worktree;
  /** Sessions in the other worktrees of the repository. */
  related: readonly string[];
  rows: ReadonlyMap<string, SessionRow>;
}

function WorktreeRow({ worktree, related, rows }: RowProps) {
  const { say, ago } = useWords();
  const { entries } = useWorktreeActions(worktree, related);
  const sessions = worktree.sessions.map((id) => rows.get(id)).filter((row) => row !== undefined);
  return (
    <li className="worktree-row">
      <div className="worktree-head">
        <span className="worktree-name" title={worktree.path}>
          {worktree.name}
        </span>
        <WorktreeFacts worktree={worktree} />
        <time className="muted small tabular" dateTime={worktree.createdAt}>
          {ago(worktree.createdAt)}
        </time>
        <Menu className="worktree-menu" label={say('worktree.menu', { name: worktree.name })} entries={entries} />
      </div>
      {sessions.length > 0 ? (
        <ul className="worktree-sessions">
          {sessions.map((row) => (
            <li key={row.sessionId}>
              <Link to={`/sessions/${row.sessionId}`}>
                <SessionMark state={stateOf(row)} /> {row.name ?? say('session.untitled')}
              </Link>
            </li>
          ))}
        </ul>
      ) : (
        <p className="muted small">{say('worktree.noSessions')}</p>
      )}
    </li>
  );
}

function Repositories({ worktrees }: { worktrees: readonly Worktree[] }) {
  const sessions = useQuery(sessionsQuery).data ?? [];
  const rows = new Map(sessions.map((row) => [row.sessionId, row]));
  const sources = [...new Set(worktrees.map(({ origin }) => origin))];
  return sources.map((source) => {
    const own = worktrees.filter(({ origin }) => origin === source);
    const related = own.flatMap(({ sessions }) => sessions);
    return (
      <section key={source} className="worktree-group" aria-label={source}>
        <h2>
          {folderName(source)} <span className="muted small">{source}</span>
        </h2>
        <ul className="worktree-list">
          {own.map((worktree) => (
            <WorktreeRow key={worktree.id} worktree={worktree} related={related} rows={rows} />
          ))}
        </ul>
      </section>
    );
  });
}

/** Every worktree that sessions work in or have left, by project. */
export function WorktreesPage() {
  const { say } = useWords();
  const query = useQuery(worktreesQuery);
  return (
    <main className="stage stage-page">
      <div className="page worktrees">
        <h1>{say('worktrees.title')}</h1>
        <p className="muted small">{say('worktrees.why')}</p>
        <Answer query={query} lines={6}>
          {(worktrees) =>
            worktrees.length === 0 ? (
              <Empty icon={<FolderGit2 size={24} aria-hidden />} title={say('worktrees.none')}>
                {say('worktrees.none.why')}
              </Empty>
            ) : (
              <Repositories worktrees={worktrees} />
            )
          }
        </Answer>
      </div>
    </main>
  );
}
