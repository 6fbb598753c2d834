import '../../styles/forms.css';
import '../../styles/settings.css';
import '../../styles/records.css';
import { Search } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { NavLink, useParams } from 'react-router';
import { lazyPart, Waiting } from '../../parts/lazy-part.tsx';
import { Loading } from '../../parts/states.tsx';
import { useWords } from '../../words/words.ts';

const Notes = lazyPart(async () => (await import('./notes.tsx')).Notes);
const Tasks = lazyPart(async () => (await import('./tasks.tsx')).Tasks);
const Memories = lazyPart(async () => (await import('./memories.tsx')).Memories);

const SECTIONS = ['notes', 'tasks', 'memory'] as const;
type Section = (typeof SECTIONS)[number];

function Shown({ section, text }: { section: Section; text: string }) {
  switch (section) {
    case 'notes':
      return <Notes text={text} />;
    case 'tasks':
      return <Tasks text={text} />;
    case 'memory':
      return <Memories text={text} />;
  }
}

/** Notes, tasks and memories across projects. */
export function RecordsPage() {
  const { say } = useWords();
  const params = useParams();
  const section = SECTIONS.find((name) => name === params.section) ?? 'notes';
  const [search, setSearch] = useState('');
  const text = useDeferredValue(search);
  return (
    <main className="stage stage-page">
      <div className="records">
        <header className="records-head">
          <h1>{say(`records.${section}`)}</h1>
          <div className="search records-search">
            <Search size={14} aria-hidden />
            <input
              type="search"
              aria-label={say(`records.search.${section}`)}
              placeholder={say(`records.search.${section}`)}
              value={search}
              maxLength={200}
              onChange={(event) => setSearch(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Escape') setSearch('');
              }}
            />
          </div>
        </header>
        <nav className="tabs" aria-label={say('records.title')}>
          {SECTIONS.map((name) => (
            <NavLink key={name} to={`/records/${name}`} className={name === section ? 'active' : ''}>
              {say(`records.${name}`)}
            </NavLink>
          ))}
        </nav>
        <Waiting fallback={<Loading lines={6} />}>
          <Shown section={section} text={text} />
        </Waiting>
      </div>
    </main>
  );
}
