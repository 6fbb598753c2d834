import '../../styles/forms.css';
import '../../styles/inbox.css';
import '../../styles/board.css';
import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { LayoutList, Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Answer, Empty } from '../../parts/states.tsx';
import { CardKeysScope } from '../../parts/use-card-keys.ts';
import { stateOf } from '../../session/session-state.ts';
import { useRovingList } from '../../shell/roving-list.ts';
import { type BoardRow as BoardFacts, boardQuery, followBoard } from '../../wire/board.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import type { SessionRow } from '../../wire/records.ts';
import { useWords, type WordKey } from '../../words/words.ts';
import { type BoardEntry, BoardRow } from './board-row.tsx';

const SECTIONS: readonly (readonly [title: WordKey, isIn: (row: SessionRow) => boolean])[] = [
  ['sidebar.waiting', (row) => stateOf(row) === 'waiting'],
  ['sidebar.running', (row) => stateOf(row) === 'running'],
  ['board.recent', (row) => !['waiting', 'running'].includes(stateOf(row))],
];

/** Each session with its sub-agents, at any depth. */
function entriesOf(facts: readonly BoardFacts[], rows: readonly SessionRow[]): BoardEntry[] {
  const byId = new Map(rows.map((row) => [row.sessionId, row]));
  const agents = new Map<string, SessionRow[]>();
  for (const agent of rows) {
    let root = agent;
    for (let parent = root; parent.parentId !== null; root = parent) {
      const next = byId.get(parent.parentId);
      if (!next) break;
      parent = next;
    }
    if (root !== agent) agents.set(root.sessionId, [...(agents.get(root.sessionId) ?? []), agent]);
  }
  return facts.flatMap((fact) => {
    const row = byId.get(fact.sessionId);
    return row ? [{ fact, row, agents: agents.get(fact.sessionId) ?? [] }] : [];
  });
}

function Sections({ entries }: { entries: readonly BoardEntry[] }) {
  const { say } = useWords();
  const list = useRef<HTMLDivElement>(null);
  const move = useRovingList(list);
  return (
    <div ref={list} className="board-sections" onKeyDown={move}>
      {SECTIONS.map(([title, isIn]) => {
        const own = entries.filter(({ row }) => isIn(row));
        if (own.length === 0) return null;
        return (
          <section key={title} aria-label={say(title)}>
            <h2>{say(title)}</h2>
            <ul className="board-list">
              {own.map((entry) => (
                <BoardRow key={entry.row.sessionId} {...entry} />
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}

/** What all sessions do now: those that wait can be answered here, those that run stopped. */
export function BoardPage() {
  const { say } = useWords();
  const client = useQueryClient();
  const facts = useQuery(boardQuery);
  const sessions = useQuery(sessionsQuery);
  useEffect(() => followBoard(client), [client]);
  return (
    <main className="stage stage-page">
      <div className="page board">
        <h1>{say('board.title')}</h1>
        <Answer query={facts} lines={6}>
          {(known) => (
            <Answer query={sessions} lines={6}>
              {(rows) => {
                const entries = entriesOf(known, rows);
                if (entries.length === 0) return <Nothing />;
                return (
                  <CardKeysScope value="card">
                    <Sections entries={entries} />
                  </CardKeysScope>
                );
              }}
            </Answer>
          )}
        </Answer>
      </div>
    </main>
  );
}

function Nothing() {
  const { say } = useWords();
  return (
    <Empty
      icon={<LayoutList size={24} aria-hidden />}
      title={say('board.none')}
      action={
        <Button component={Link} to="/" leftSection={<Plus size={14} aria-hidden />}>
          {say('session.new')}
        </Button>
      }
    >
      {say('board.none.why')}
    </Empty>
  );
}
