import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Answer } from '../../parts/states.tsx';
import { matches } from '../../shell/pick-list.tsx';
import { providersQuery } from '../../wire/queries.ts';
import type { ProviderRow } from '../../wire/records.ts';
import { useWords, type WordKey } from '../../words/words.ts';
import { ProviderForm } from './provider-form.tsx';

/** Which of the four things a person should know first. */
export function readinessOf(row: ProviderRow): WordKey {
  if (row.keyConfigured) return 'provider.ready';
  if (row.requiresKey) return 'provider.missing';
  return row.endpointConfigured ? 'provider.address' : 'provider.local';
}

/** External agents and the supervised engine have neither key nor address to give here. */
export const isSettable = (row: ProviderRow): boolean => row.requiresKey || row.supportsEndpoint;

function Group({ title, rows }: { title: string; rows: ProviderRow[] }) {
  const { say } = useWords();
  if (rows.length === 0) return null;
  return (
    <section>
      <h2 className="group-title">{title}</h2>
      {rows.map((row) => (
        <Fold
          key={row.id}
          className="provider"
          head={
            <>
              <span className="provider-name">{row.label}</span>
              <span className={row.keyConfigured ? 'small success' : 'small muted'}>{say(readinessOf(row))}</span>
            </>
          }
        >
          {() => <ProviderForm row={row} />}
        </Fold>
      ))}
    </section>
  );
}

const isReady = (row: ProviderRow): boolean => row.keyConfigured || row.endpointConfigured;

/** Who was ready when the page opened stands first; who becomes ready stays where it is, with its form open. */
function List({ rows, search }: { rows: ProviderRow[]; search: string }) {
  const { say } = useWords();
  const [firstReady] = useState(() => new Set(rows.filter(isReady).map(({ id }) => id)));
  const found = rows.filter((row) => isSettable(row) && matches(`${row.label} ${row.id}`, search));
  return (
    <>
      <Group title={say('provider.group.ready')} rows={found.filter(({ id }) => firstReady.has(id))} />
      <Group title={say('provider.group.others')} rows={found.filter(({ id }) => !firstReady.has(id))} />
      {found.length === 0 && <p className="muted">{say('provider.none')}</p>}
    </>
  );
}

export function Providers() {
  const { say } = useWords();
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
        {(rows) => <List rows={rows} search={search} />}
      </Answer>
    </div>
  );
}
