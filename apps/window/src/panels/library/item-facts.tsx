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
  return <Link to={`/sessions/${id}`}>{row?.name ?? say('session.untitled')}</Link>;
}

/** The origin of an item, as far as known. */
export function ItemFacts({ sessionId, item }: { sessionId: string; item: LibraryItem }) {
  const { say, date } = useWords();
  const { origin, createdAt, updatedAt, createdBy, model, session, path } = item;
  return (
    <dl className="library-facts small">
      <Fact name={say(origin === 'generated' ? 'library.fact.created' : 'library.fact.given')}>{date(createdAt)}</Fact>
      {updatedAt !== createdAt && <Fact name={say('library.fact.changed')}>{date(updatedAt)}</Fact>}
      {createdBy && <Fact name={say('library.fact.tool')}>{say(toolLabels(createdBy).name, { name: createdBy })}</Fact>}
      {model && <Fact name={say('library.fact.model')}>{model}</Fact>}
      {session && (
        <Fact name={say('library.fact.session')}>
          <From id={session} />
        </Fact>
      )}
      {path && (
        <Fact name={say('library.fact.file')}>
          <Link to={filePage(sessionId, { path: path, line: undefined })}>{path}</Link>
        </Fact>
      )}
    </dl>
  );
}
