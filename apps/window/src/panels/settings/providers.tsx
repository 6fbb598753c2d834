import '../../styles/providers.css';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { Fold } from '../../parts/box.tsx';
import { ProviderMark } from '../../parts/provider-mark.tsx';
import { Answer } from '../../parts/states.tsx';
import { matches } from '../../shell/pick-list.tsx';
import { providersQuery } from '../../wire/models.ts';
import type { ProviderRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { isBegun, isSettable } from './provider-facts.ts';
import { ProviderFacts, ProviderForm } from './provider-form.tsx';

/** One provider: summary and form. */
function Entry({ row, isAsked }: { row: ProviderRow; isAsked: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isAsked) return;
    place.current?.scrollIntoView({ block: 'start' });
    place.current?.querySelector<HTMLElement>('button')?.focus({ preventScroll: true });
  }, [isAsked]);
  return (
    <div ref={place} className="provider-place">
      <Fold
        className="provider"
        isOpen={isAsked}
        head={
          <span className="provider-head">
            <span className="provider-name">
              <ProviderMark name={row.label} />
              {row.label}
            </span>
            <ProviderFacts row={row} />
          </span>
        }
      >
        {() => <ProviderForm row={row} />}
      </Fold>
    </div>
  );
}

function Group({ title, rows, asked }: { title: string; rows: ProviderRow[]; asked: string | null }) {
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 className="group-title">{title}</h2>
      {rows.map((row) => (
        <Entry key={row.id} row={row} isAsked={row.id === asked} />
      ))}
    </section>
  );
}

/**
 * Providers that were ready when the page opened come first; one that becomes ready keeps its position and open form.
 */
function List({ rows, search }: { rows: ProviderRow[]; search: string }) {
  const { say } = useWords();
  const [params] = useSearchParams();
  const asked = params.get('provider');
  const [firstReady] = useState(() => new Set(rows.filter(isBegun).map(({ id }) => id)));
  const found = rows.filter((row) => isSettable(row) && matches(`${row.label} ${row.id}`, search));
  return (
    <>
      <Group
        title={say('provider.group.configured')}
        rows={found.filter(({ id }) => firstReady.has(id))}
        asked={asked}
      />
      <Group title={say('provider.group.others')} rows={found.filter(({ id }) => !firstReady.has(id))} asked={asked} />
      {found.length === 0 && <p className="muted">{say('provider.none')}</p>}
    </>
  );
}

export function Providers() {
  const { say } = useWords();
  const [params] = useSearchParams();
  const [search, setSearch] = useState('');
  const query = useQuery(providersQuery);
  return (
    <div className="form">
      <input
        className="input"
        type="search"
        aria-label={say('provider.search')}
        placeholder={say('provider.search')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Answer query={query} lines={8}>
        {(rows) => <List key={params.get('provider')} rows={rows} search={search} />}
      </Answer>
    </div>
  );
}
