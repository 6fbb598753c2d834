import '../../styles/forms.css';
import '../../styles/worktrees.css';
import { Button } from '@mantine/core';
import { type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query';
import { GitCompare, GitMerge } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { ModelName } from '../../parts/model-name.tsx';
import { SessionMark } from '../../parts/session-mark.tsx';
import { Answer, Empty, Failure } from '../../parts/states.tsx';
import { isLive, stateOf } from '../../session/session-state.ts';
import { folderName, useWorktreeActions } from '../../shell/use-worktree-actions.tsx';
import { branchPointQuery, type GitBranchPoint } from '../../wire/git.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { budgetQuery } from '../../wire/usage.ts';
import { type Worktree, worktreesQuery } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';
import { CompareFiles } from './compare-files.tsx';
import type { Compared } from './compared.ts';
import { WorktreeFacts } from './worktree-facts.tsx';

interface SideProps {
  side: Compared;
  query: UseQueryResult<GitBranchPoint>;
}

function Merge({ worktree, isDisabled }: { worktree: Worktree; isDisabled: boolean }) {
  const { say } = useWords();
  const { merge } = useWorktreeActions(worktree, []);
  return (
    <Button leftSection={<GitMerge size={14} aria-hidden />} disabled={isDisabled} onClick={merge}>
      {say('worktree.merge', { folder: folderName(worktree.origin) })}
    </Button>
  );
}

/** What one session changed, took and cost. */
function Side({ side: { row, worktree, changes }, query }: SideProps) {
  const { say, duration, money } = useWords();
  const spent = useQuery(budgetQuery(row.sessionId)).data?.session;
  const files = changes?.files ?? [];
  const total = (part: 'added' | 'removed'): number => files.reduce((sum, file) => sum + (file[part] ?? 0), 0);
  const end = row.lastAnswerAt;
  return (
    <li className="compare-side">
      <h2>
        <Link to={`/sessions/${row.sessionId}`}>{row.name ?? say('session.untitled')}</Link>
      </h2>
      <SessionMark state={stateOf(row)} isWorded />
      {worktree && <WorktreeFacts worktree={worktree} />}
      <dl className="compare-facts">
        <dt>{say('compare.model')}</dt>
        <dd>
          <ModelName id={row.model} />
        </dd>
        <dt>{say('compare.files')}</dt>
        <dd className="tabular">
          {changes ? files.length : '–'}{' '}
          {files.length > 0 && <DiffCounts added={total('added')} removed={total('removed')} />}
        </dd>
        <dt>{say('compare.time')}</dt>
        <dd className="tabular">{end ? duration(Date.parse(end) - Date.parse(row.startedAt)) : '–'}</dd>
        <dt>{say('compare.cost')}</dt>
        <dd className="tabular">
          {spent && spent.callsWithoutCost === 0 ? money(spent.usd) : say('compare.cost.unknown')}
        </dd>
      </dl>
      {query.isError && <Failure error={query.error} retry={() => void query.refetch()} />}
      {worktree?.state && <Merge worktree={worktree} isDisabled={isLive(row)} />}
    </li>
  );
}

function Sides({ rows, worktrees }: { rows: readonly SessionRow[]; worktrees: readonly Worktree[] }) {
  const owner = (sessionId: string): Worktree | undefined =>
    worktrees.find(({ sessions }) => sessions.includes(sessionId));
  const queries = useQueries({
    queries: rows.map(({ sessionId }) => branchPointQuery(sessionId, owner(sessionId)?.base.name ?? undefined)),
  });
  const sides = rows.map((row, at): Compared => ({ row, worktree: owner(row.sessionId), changes: queries[at]?.data }));
  return (
    <>
      <ul className="compare-sides">
        {sides.map((side, at) => {
          const query = queries[at];
          return query && <Side key={side.row.sessionId} side={side} query={query} />;
        })}
      </ul>
      <CompareFiles sides={sides} isLoading={queries.some(({ isPending }) => isPending)} />
    </>
  );
}

/** Sessions on one repository side by side: what each changed since it branched off. */
export function ComparePage() {
  const { say } = useWords();
  const asked = (useSearchParams()[0].get('sessions') ?? '').split(',').filter(Boolean);
  const sessions = useQuery(sessionsQuery);
  const worktrees = useQuery(worktreesQuery);
  return (
    <main className="stage stage-page">
      <div className="page compare">
        <h1>{say('compare.title')}</h1>
        <Answer query={sessions} lines={6}>
          {(all) => {
            const rows = asked.flatMap((id) => all.filter(({ sessionId }) => sessionId === id));
            if (rows.length === 0)
              return (
                <Empty icon={<GitCompare size={24} aria-hidden />} title={say('compare.none')}>
                  {say('compare.none.why')}
                </Empty>
              );
            return (
              <Answer query={worktrees} lines={6}>
                {(known) => <Sides rows={rows} worktrees={known} />}
              </Answer>
            );
          }}
        </Answer>
      </div>
    </main>
  );
}
