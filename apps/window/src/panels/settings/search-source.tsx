import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { OutsideAnchor } from '../../parts/outside-anchor.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import type { SearchSource } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { KeyInput } from './key-input.tsx';

type Source = SearchSource['sources'][number];

const searchSourceQuery = queryOptions({
  queryKey: ['search-source'],
  queryFn: ({ signal }) => api.get('/search-source', { signal }),
});

function useSearchAction<Answered, Body = void>(act: (body: Body) => Promise<Answered>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: ['search-source'] }),
  });
}

interface SourceProps {
  source: Source;
  /** Called when the missing setting was saved. */
  onSaved: () => void;
}

/** The key of one source: entered once, never shown. */
function SourceKey({ source, onSaved }: SourceProps) {
  const { say } = useWords();
  const save = useSearchAction((body: { source: string; key: string }) => api.post('/search-source/key', { body }));
  const remove = useSearchAction((body: { source: string }) => api.post('/search-source/key/remove', { body }));
  return (
    <div className="field">
      <KeyInput
        label={say(source.needsKey ? 'provider.key' : 'search.key.optional')}
        isBusy={save.isPending}
        save={(key, clear) =>
          save.mutate(
            { source: source.id, key },
            {
              onSuccess() {
                clear();
                onSaved();
              },
            },
          )
        }
      />
      {source.keyConfigured && (
        <p className="small">
          <Check size={12} className="success" aria-hidden /> {say('credential.ready')}{' '}
          <button
            type="button"
            className="text-button"
            disabled={remove.isPending}
            onClick={() => remove.mutate({ source: source.id })}
          >
            {say('act.remove')}
          </button>
        </p>
      )}
      {source.link && (
        <OutsideAnchor className="small" address={source.link}>
          {say('search.keys')}
        </OutsideAnchor>
      )}
      {(save.error ?? remove.error) && <Failure error={save.error ?? remove.error} />}
    </div>
  );
}

function SourceAddress({ source, endpoint, onSaved }: SourceProps & { endpoint: string }) {
  const { say } = useWords();
  const id = useId();
  const [text, setText] = useState(endpoint);
  const save = useSearchAction((body: { source: string; endpoint: string }) => api.post('/search-source', { body }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) save.mutate({ source: source.id, endpoint: text.trim() }, { onSuccess: onSaved });
  };
  return (
    <form className="field" onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {say('provider.endpoint')}
      </label>
      <div className="inline-form">
        <input
          id={id}
          className="input code-input"
          inputMode="url"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={save.isPending} disabled={!text.trim()}>
          {say('act.save')}
        </Button>
      </div>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}

function Trial({ isReady }: { isReady: boolean }) {
  const { say, duration } = useWords();
  const trial = useSearchAction(() => api.post('/search-source/test', { body: {} }));
  return (
    <>
      <div className="inline-form">
        <Button onClick={() => trial.mutate()} disabled={!isReady} loading={trial.isPending}>
          {say('act.test')}
        </Button>
        {trial.data && !trial.isPending && (
          <span className="small success" role="status">
            <Check size={12} aria-hidden /> {say('search.found', { count: trial.data.results })}{' '}
            <span className="muted tabular">{duration(trial.data.durationMs)}</span>
          </span>
        )}
      </div>
      {trial.error && <Failure error={trial.error} />}
    </>
  );
}

/** The missing setting of a source, as the interface reports it. */
const LACKS: Record<string, SearchSource['readiness']> = {
  'key-missing': 'key-missing',
  'address-missing': 'address-missing',
};

const lackOf = (error: Error | null): SearchSource['readiness'] | undefined =>
  error instanceof ApiError ? LACKS[error.body?.reason ?? ''] : undefined;

/**
 * The current source, and the one the user wants: the server rejects a source without its key or address, so the
 * missing setting is requested first and the choice repeated.
 */
function useChoice(view: SearchSource) {
  const [wanted, setWanted] = useState<string>();
  const choose = useSearchAction((body: { source: string }) => api.post('/search-source', { body }));
  const settle = () => setWanted(undefined);
  const pick = (source: string) => {
    setWanted(source);
    choose.mutate({ source }, { onSuccess: settle, onError: (error) => !lackOf(error) && settle() });
  };
  const lacks = lackOf(choose.error);
  const isWaiting = wanted !== undefined && wanted !== view.source;
  return {
    shown: wanted ?? view.source,
    pick,
    isBusy: choose.isPending,
    isWaiting,
    readiness: isWaiting && lacks ? lacks : view.readiness,
    error: lacks === undefined ? choose.error : null,
    settle,
  };
}

function Sources({ view }: { view: SearchSource }) {
  const { say } = useWords();
  const { shown, pick, isBusy, isWaiting, readiness, error, settle } = useChoice(view);
  const off = { id: 'off', label: say('search.offChoice'), note: say('search.offNote') };
  const source = view.sources.find(({ id }) => id === shown);
  const inUse = [...view.sources, off].find(({ id }) => id === view.source);
  const endpoint = shown === view.source ? view.endpoint : '';
  return (
    <>
      <fieldset className="field choice-list">
        <legend className="field-label">{say('search.choose')}</legend>
        {[...view.sources, off].map(({ id, label, note }) => (
          <label key={id} className="choice-row">
            <input
              type="radio"
              name="search-source"
              checked={id === shown}
              disabled={isBusy}
              onChange={() => pick(id)}
            />
            <span>
              {label}
              <span className="small muted"> {note}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {error && <Failure error={error} />}
      {!isBusy && readiness !== 'ready' && readiness !== 'off' && (
        <p className="small warning" role="status">
          {say(`search.${readiness}`)} {isWaiting && inUse && say('search.until', { name: inUse.label })}
        </p>
      )}
      {source?.needsEndpoint && <SourceAddress key={source.id} source={source} endpoint={endpoint} onSaved={settle} />}
      {/** A key is bound to the address that it was entered for. */}
      {source && !source.keyless && (!source.needsEndpoint || endpoint !== '') && (
        <SourceKey key={`${source.id} key`} source={source} onSaved={() => isWaiting && pick(source.id)} />
      )}
      {!isWaiting && readiness !== 'off' && <Trial isReady={readiness === 'ready'} />}
    </>
  );
}

/** The agent's search source. */
export function SearchSources() {
  const { say } = useWords();
  const query = useQuery(searchSourceQuery);
  return (
    <div className="form">
      <p className="muted">{say('search.intro')}</p>
      <Answer query={query} lines={6}>
        {(view) => <Sources view={view} />}
      </Answer>
    </div>
  );
}
