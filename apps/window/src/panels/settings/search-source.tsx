import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { address, read, send } from '../../wire/call.ts';
import type { SearchSource, SearchTrial } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

type Source = SearchSource['fonti'][number];

const searchSourceQuery = queryOptions({
  queryKey: ['search-source'],
  queryFn: ({ signal }) => read<SearchSource>(address(['search-source']), signal),
});

function useSearchAct<Body, Answered = unknown>(...path: string[]) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => send<Answered>(address(['search-source', ...path]), body),
    onSettled: () => client.invalidateQueries({ queryKey: ['search-source'] }),
  });
}

/** The key of one source: written once, never shown. */
function SourceKey({ source }: { source: Source }) {
  const { say } = useWords();
  const id = useId();
  const [key, setKey] = useState('');
  const save = useSearchAct<{ source: string; key: string }>('key');
  const remove = useSearchAct<{ source: string }>('key', 'remove');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim()) save.mutate({ source: source.id, key: key.trim() }, { onSuccess: () => setKey('') });
  };
  return (
    <form className="field" onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {say('provider.key')}
      </label>
      <div className="inline-form">
        <input
          id={id}
          type="password"
          autoComplete="off"
          className="input code-input"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
        />
        <Button type="submit" loading={save.isPending} disabled={!key.trim()}>
          {say('act.save')}
        </Button>
        {source.keyConfigured && (
          <Button
            variant="subtle"
            color="gray"
            loading={remove.isPending}
            onClick={() => remove.mutate({ source: source.id })}
          >
            {say('act.remove')}
          </Button>
        )}
      </div>
      {source.link && (
        <a className="small" href={source.link} target="_blank" rel="noreferrer">
          {say('search.keys')}
        </a>
      )}
      {(save.error ?? remove.error) && <Failure error={save.error ?? remove.error} />}
    </form>
  );
}

function SourceAddress({ source, endpoint }: { source: Source; endpoint: string }) {
  const { say } = useWords();
  const id = useId();
  const [text, setText] = useState(endpoint);
  const save = useSearchAct<{ source: string; endpoint: string }>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ source: source.id, endpoint: text.trim() });
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
  const trial = useSearchAct<Record<string, never>, SearchTrial>('test');
  return (
    <>
      <div className="inline-form">
        <Button onClick={() => trial.mutate({})} disabled={!isReady} loading={trial.isPending}>
          {say('act.test')}
        </Button>
        {trial.data && !trial.isPending && (
          <span className="small success" role="status">
            <Check size={12} aria-hidden /> {say('search.found', { count: trial.data.risultati })}{' '}
            <span className="muted tabular">{duration(trial.data.durataMs)}</span>
          </span>
        )}
      </div>
      {trial.error && <Failure error={trial.error} />}
    </>
  );
}

function Sources({ view }: { view: SearchSource }) {
  const { say } = useWords();
  const choose = useSearchAct<{ source: string }>();
  const chosen = view.fonti.find(({ id }) => id === view.source);
  return (
    <>
      <fieldset className="field choice-list">
        <legend className="field-label">{say('search.choose')}</legend>
        {[...view.fonti, { id: 'off', label: say('search.off'), nota: say('search.offNote') }].map((source) => (
          <label key={source.id} className="choice-row">
            <input
              type="radio"
              name="search-source"
              checked={source.id === view.source}
              disabled={choose.isPending}
              onChange={() => choose.mutate({ source: source.id })}
            />
            <span>
              {source.label}
              <span className="small muted"> {source.nota}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {choose.error && <Failure error={choose.error} />}
      {chosen?.needsEndpoint && <SourceAddress key={chosen.id} source={chosen} endpoint={view.endpoint} />}
      {chosen?.needsKey && <SourceKey key={`${chosen.id} key`} source={chosen} />}
      {view.readiness !== 'spenta' && <Trial isReady={view.readiness === 'pronta'} />}
      {view.readiness !== 'pronta' && view.source !== 'off' && (
        <p className="small warning">{say(`search.${view.readiness}`)}</p>
      )}
    </>
  );
}

/** Where the agent looks things up on the web. */
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
