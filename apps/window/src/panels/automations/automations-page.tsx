import '../../styles/forms.css';
import '../../styles/automations.css';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { Link, NavLink, useParams, useSearchParams } from 'react-router';
import { Loading } from '../../parts/states.tsx';
import { inboxQuery } from '../../wire/automation-inbox.ts';
import { automationsQuery, isCurrent } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';
import { AutomationList, Inbox } from './automation-list.tsx';
import { AutomationView } from './automation-view.tsx';
import { AutomationEditor } from './editor.tsx';

function Editing({ id }: { id: string }) {
  const query = useQuery(automationsQuery);
  const record = query.data?.find((candidate) => candidate.id === id);
  if (!query.data) return <Loading lines={8} />;
  return record && isCurrent(record) ? <AutomationEditor key={id} record={record} /> : <AutomationView id={id} />;
}

function Lists({ isInbox }: { isInbox: boolean }) {
  const { say, number } = useWords();
  const inbox = useQuery(inboxQuery);
  const unread = inbox.data?.length ?? 0;
  return (
    <>
      <header className="automation-head">
        <h1>{say('automation.title')}</h1>
        <Link className="button-link" to="/automations/new">
          <Plus size={14} aria-hidden />
          {say('automation.new')}
        </Link>
      </header>
      <nav className="tabs" aria-label={say('automation.title')}>
        <NavLink to="/automations" end>
          {say('automation.all')}
        </NavLink>
        <NavLink to="/automations/inbox">
          {say('automation.inbox')}
          {unread > 0 && (
            <span className="count tabular" aria-label={say('sidebar.unread', { count: unread })}>
              {number(unread)}
            </span>
          )}
        </NavLink>
      </nav>
      {isInbox ? <Inbox /> : <AutomationList />}
    </>
  );
}

/** Scheduled tasks; the selected one is in the address. */
export function AutomationsPage() {
  const { id } = useParams();
  const [search] = useSearchParams();
  return (
    <main className="stage stage-page">
      <div className="automations">
        {id === 'new' ? (
          <AutomationEditor />
        ) : id === undefined || id === 'inbox' ? (
          <Lists isInbox={id === 'inbox'} />
        ) : search.has('edit') ? (
          <Editing id={id} />
        ) : (
          <AutomationView id={id} />
        )}
      </div>
    </main>
  );
}
