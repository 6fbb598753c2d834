import '../../styles/forms.css';
import '../../styles/local-models.css';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { NavLink, useParams } from 'react-router';
import { downloadsQuery, isUnderWay, refreshModels } from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';
import { Downloads } from './downloads.tsx';
import { HubSearch } from './hub-search.tsx';
import { Installed } from './installed.tsx';
import { Repository } from './repository.tsx';

/** A finished download appears among the installed models at once. */
function useFreshModels(ready: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (ready !== '') void refreshModels(client);
  }, [client, ready]);
}

/** Installed models, the hub, and downloads; the current view is in the address. */
export function LocalModelsPage() {
  const { say, number } = useWords();
  const { section, owner, name } = useParams();
  const rows = useQuery(downloadsQuery).data ?? [];
  const active = rows.filter(isUnderWay).length;
  useFreshModels(
    rows
      .filter(({ state }) => state === 'ready')
      .map(({ id }) => id)
      .join(' '),
  );
  return (
    <main className="stage stage-page">
      <div className="models-page">
        <h1>{say('localModel.title')}</h1>
        <nav className="tabs" aria-label={say('localModel.title')}>
          <NavLink to="/local-models" end>
            {say('localModel.installed')}
          </NavLink>
          <NavLink to="/local-models/hub">{say('localModel.hub')}</NavLink>
          <NavLink to="/local-models/downloads">
            {say('localModel.downloads')}
            {active > 0 && (
              <span className="count tabular" aria-label={say('localModel.active', { count: active })}>
                {number(active)}
              </span>
            )}
          </NavLink>
        </nav>
        {section === 'downloads' ? (
          <Downloads />
        ) : section !== 'hub' ? (
          <Installed />
        ) : owner && name ? (
          <Repository key={`${owner}/${name}`} repo={`${owner}/${name}`} />
        ) : (
          <HubSearch />
        )}
      </div>
    </main>
  );
}
