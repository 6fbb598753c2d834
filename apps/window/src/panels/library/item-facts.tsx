import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { filePage } from '../../parts/file-reference.ts';
import { toolLabels } from '../../parts/tool-words.ts';
import type { LibraryItem } from '../../wire/library.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import { useWords } from '../../words/words.ts';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="library-fact">
      <dt className="muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function From({ id }: { id: string }) {
  const { say } = useWords();
  const { data } = useQuery(sessionsQuery);
  const row = data?.find(({ sessionId }) => sessionId === id);
  if (data && !row) return <span className="muted">{say('library.session.gone')}</span>;
  return <Link to={`/sessions/${id}`}>{row?.nome ?? say('session.untitled')}</Link>;
}

/** The origin of an item, as far as known. */
export function ItemFacts({ sessionId, item }: { sessionId: string; item: LibraryItem }) {
  const { say, date } = useWords();
  const { origine, creatoIl, aggiornatoIl, creatoDa, modello, sessione, percorso } = item;
  return (
    <dl className="library-facts small">
      <Fact name={say(origine === 'generated' ? 'library.fact.created' : 'library.fact.given')}>{date(creatoIl)}</Fact>
      {aggiornatoIl !== creatoIl && <Fact name={say('library.fact.changed')}>{date(aggiornatoIl)}</Fact>}
      {creatoDa && <Fact name={say('library.fact.tool')}>{say(toolLabels(creatoDa).name, { name: creatoDa })}</Fact>}
      {modello && <Fact name={say('library.fact.model')}>{modello}</Fact>}
      {sessione && (
        <Fact name={say('library.fact.session')}>
          <From id={sessione} />
        </Fact>
      )}
      {percorso && (
        <Fact name={say('library.fact.file')}>
          <Link to={filePage(sessionId, { path: percorso, line: undefined })}>{percorso}</Link>
        </Fact>
      )}
    </dl>
  );
}
