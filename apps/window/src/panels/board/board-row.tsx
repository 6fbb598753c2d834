import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { GitBranch, Square } from 'lucide-react';
import { Link } from 'react-router';
import { CleanText } from '../../parts/clean-text.tsx';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { plainText } from '../../parts/plain-text.ts';
import { SessionMark } from '../../parts/session-mark.tsx';
import { Failure } from '../../parts/states.tsx';
import { toolLabels } from '../../parts/tool-words.ts';
import { useElapsed } from '../../parts/use-elapsed.ts';
import { isLive, isWaiting, stateOf } from '../../session/session-state.ts';
import type { BoardRow as BoardFacts } from '../../wire/board.ts';
import { useStop } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { worktreesQuery } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';
import { PendingRequest } from '../session/cards/pending-request.tsx';

export interface BoardEntry {
  fact: BoardFacts;
  row: SessionRow;
  /** Its sub-agents. */
  agents: readonly SessionRow[];
}

function Place({ row }: { row: SessionRow }) {
  const { say } = useWords();
  const { sessionId, project } = row;
  const worktree = useQuery(worktreesQuery).data?.find(({ sessions }) => sessions.includes(sessionId));
  const branch = worktree && (worktree.state?.branch ?? worktree.name);
  return (
    <span className="board-place muted small">
      {project}
      {branch !== undefined && (
        <span className="board-branch" title={say('worktree.of', { name: branch })}>
          <GitBranch size={12} aria-hidden /> <CleanText text={branch} />
        </span>
      )}
    </span>
  );
}

/** How long the turn has run, or when the last one ended. */
function Time({ fact: { turnStartedAt, turnEndedAt } }: { fact: BoardFacts }) {
  const { say, ago, duration } = useWords();
  const isOpen = turnEndedAt === null;
  const elapsed = useElapsed(turnStartedAt === null ? undefined : Date.parse(turnStartedAt), isOpen);
  if (!isOpen) {
    return (
      <time className="muted tabular" dateTime={turnEndedAt} title={say('board.ended')}>
        {ago(turnEndedAt)}
      </time>
    );
  }
  return (
    <span className="tabular" title={say('board.elapsed')}>
      {elapsed === undefined ? '–' : duration(Math.max(1, Math.floor(elapsed / 1_000)) * 1_000)}
    </span>
  );
}

function Cost({ fact: { costUsd, callsWithoutCost } }: { fact: BoardFacts }) {
  const { say, money } = useWords();
  if (costUsd === 0 && callsWithoutCost > 0)
    return <span className="muted board-cost">{say('board.cost.unknown')}</span>;
  return (
    <span className="tabular board-cost" title={say(callsWithoutCost > 0 ? 'board.cost.partly' : 'board.cost')}>
      {money(costUsd)}
    </span>
  );
}

/** The last line of the agent, or the tool that runs. */
function LastLine({ fact: { lastLine, tool }, isRunning }: { fact: BoardFacts; isRunning: boolean }) {
  const { say } = useWords();
  const words = tool !== null && isRunning ? toolLabels(tool) : undefined;
  if (lastLine === null && !words) return null;
  return (
    <p className="board-line muted small">
      {lastLine !== null && <span className="board-words">{plainText(lastLine)}</span>}
      {words && (
        <span className="board-tool">
          <words.icon size={12} aria-hidden /> {say(words.now, { name: tool ?? '' })}
        </span>
      )}
    </p>
  );
}

/** The requests of the session and of its sub-agents. */
function Requests({ row, agents }: Pick<BoardEntry, 'row' | 'agents'>) {
  const { say } = useWords();
  const asking = [row, ...agents].filter(isWaiting);
  if (asking.length === 0) return null;
  return (
    <div className="board-requests inbox-entry">
      {asking.map((one) => (
        <PendingRequest
          key={one.sessionId}
          row={one}
          // Of the session itself, the row says it to those who see it.
          from={<span className={one === row ? 'unseen' : 'muted small'}>{one.delegatedTask ?? one.name}</span>}
          elicitation={<p className="muted small">{say('inbox.elicitation')}</p>}
        />
      ))}
    </div>
  );
}

export function BoardRow({ fact, row, agents }: BoardEntry) {
  const { say } = useWords();
  const { sessionId } = row;
  const stop = useStop(sessionId);
  const state = stateOf(row);
  const name = row.name ?? say('session.untitled');
  return (
    <li className="board-row">
      <div className="board-head">
        <Link className="board-name" data-roving tabIndex={-1} to={`/sessions/${sessionId}`}>
          <SessionMark state={state} /> <span>{name}</span>
        </Link>
        <Place row={row} />
        <span className="board-facts small">
          {fact.file > 0 && (
            <span title={say('board.files', { count: fact.file })}>
              <DiffCounts added={fact.added} removed={fact.removed} />
            </span>
          )}
          <Cost fact={fact} />
          <Time fact={fact} />
        </span>
        {isLive(row) && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Square size={12} aria-hidden />}
            aria-label={say('board.stop', { name })}
            loading={stop.isPending}
            onClick={() => stop.mutate()}
          >
            {say('act.stop')}
          </Button>
        )}
      </div>
      <LastLine fact={fact} isRunning={state === 'running'} />
      {stop.error && <Failure error={stop.error} />}
      <Requests row={row} agents={agents} />
    </li>
  );
}
