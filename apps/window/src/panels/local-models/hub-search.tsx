import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ArrowDownToLine, Heart, Lock, Search, SearchX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { later } from '../../ambient.ts';
import { Answer, Empty } from '../../parts/states.tsx';
import { HUB_SORTS, type HubModel, type HubSort, hubSearchQuery } from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';

const LONGEST_QUERY = 200;

function Found({ model }: { model: HubModel }) {
  const { say, short } = useWords();
  const facts = [model.pipelineTag, model.license].filter((fact) => fact !== null).join(' · ');
  return (
    <li className="model-row">
      <Link className="model-main model-link" to={`/local-models/hub/${model.repo}`}>
        <span className="model-name">{model.repo}</span>
        {facts !== '' && <span className="small muted">{facts}</span>}
      </Link>
      {model.gated && (
        <span className="model-count small muted">
          <Lock size={12} aria-hidden />
          {say('localModel.gated')}
        </span>
      )}
      {model.downloads !== null && (
        <span className="model-count small muted tabular" title={say('localModel.hubDownloads')}>
          <ArrowDownToLine size={12} aria-label={say('localModel.hubDownloads')} />
          {short(model.downloads)}
        </span>
      )}
      {model.likes !== null && (
        <span className="model-count small muted tabular" title={say('localModel.likes')}>
          <Heart size={12} aria-label={say('localModel.likes')} />
          {short(model.likes)}
        </span>
      )}
    </li>
  );
}

function Results({ text, sort }: { text: string; sort: HubSort }) {
  const { say } = useWords();
  const query = useInfiniteQuery(hubSearchQuery(text, sort));
  const models = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Answer query={query} lines={8}>
      {() =>
        models.length === 0 ? (
          <Empty icon={<SearchX size={20} aria-hidden />} title={say('localModel.found.none')}>
            {say('localModel.found.none.why')}
          </Empty>
        ) : (
          <>
            <ul className="model-rows" aria-label={say('localModel.found')}>
              {models.map((model) => (
                <Found key={model.repo} model={model} />
              ))}
            </ul>
            {query.hasNextPage && (
              <Button loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {say('localModel.more')}
              </Button>
            )}
          </>
        )
      }
    </Answer>
  );
}

const PAUSE_MS = 300;

/** The search text after a pause in typing, because the hub limits requests. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => later(PAUSE_MS, () => setSettled(text)), [text]);
  return settled;
}

/** The hub's models in a supported format; the search is in the address. */
export function HubSearch() {
  const { say } = useWords();
  const [search, setSearch] = useSearchParams();
  const text = search.get('q') ?? '';
  const sort = HUB_SORTS.find((name) => name === search.get('sort')) ?? 'downloads';
  const put = (name: string, value: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === '') next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true },
    );
  return (
    <section className="model-part" aria-label={say('localModel.hub')}>
      <div className="model-bar">
        <div className="search model-search">
          <Search size={14} aria-hidden />
          <input
            type="search"
            aria-label={say('localModel.search')}
            placeholder={say('localModel.search')}
            value={text}
            maxLength={LONGEST_QUERY}
            onChange={(event) => put('q', event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') put('q', '');
            }}
          />
        </div>
        <select
          className="chip"
          aria-label={say('localModel.sort')}
          value={sort}
          onChange={(event) => put('sort', event.currentTarget.value)}
        >
          {HUB_SORTS.map((name) => (
            <option key={name} value={name}>
              {say(`localModel.sort.${name}`)}
            </option>
          ))}
        </select>
      </div>
      <Results text={useSettled(text.trim())} sort={sort} />
    </section>
  );
}
