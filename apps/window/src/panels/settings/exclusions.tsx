import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { providersQuery } from '../../wire/models.ts';
import type { ProviderRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

type BuiltIn = NonNullable<ProviderRow['builtInExclusions']>[number];

function useExclusionAction<Body>(act: (body: Body) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => client.invalidateQueries({ queryKey: providersQuery.queryKey }),
  });
}

/** The user's own list with remove buttons. */
function Own({ slugs }: { slugs: readonly string[] }) {
  const { say } = useWords();
  const id = useId();
  const [text, setText] = useState('');
  const replace = useExclusionAction((body: { excluded: string[] }) =>
    api.post('/providers/aggregator/excluded', { body }),
  );
  const add = (event: FormEvent) => {
    event.preventDefault();
    const slug = text.trim();
    if (slug) replace.mutate({ excluded: [...slugs, slug] }, { onSuccess: () => setText('') });
  };
  return (
    <form onSubmit={add}>
      <label className="field-label" htmlFor={id}>
        {say('exclusion.add')}
      </label>
      <div className="inline-form">
        <input
          id={id}
          className="input code-input"
          autoComplete="off"
          spellCheck={false}
          placeholder="slow-host"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" loading={replace.isPending} disabled={!text.trim()}>
          {say('exclusion.exclude')}
        </Button>
      </div>
      {replace.error && <Failure error={replace.error} />}
      {slugs.length === 0 ? (
        <p className="small muted">{say('exclusion.none')}</p>
      ) : (
        <ul className="slugs" aria-label={say('exclusion.title')}>
          {slugs.map((slug) => (
            <li key={slug} className="slug">
              <code>{slug}</code>
              <button
                type="button"
                className="icon-button"
                aria-label={say('exclusion.remove', { name: slug })}
                title={say('exclusion.remove', { name: slug })}
                disabled={replace.isPending}
                onClick={() => replace.mutate({ excluded: slugs.filter((other) => other !== slug) })}
              >
                <X size={12} aria-hidden />
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  );
}

/** Hosts that the program excludes for one model, each with a button to allow it. */
function BuiltIns({ rows }: { rows: readonly BuiltIn[] }) {
  const { say } = useWords();
  const change = useExclusionAction((body: BuiltIn) => api.post('/providers/aggregator/excluded/built-in', { body }));
  const models = [...new Set(rows.map(({ model }) => model))];
  return (
    <>
      {models.map((model) => (
        <fieldset key={model} className="choice-list">
          <legend className="field-label">{say('exclusion.builtIn', { model })}</legend>
          <p className="small muted">{say('exclusion.builtIn.why')}</p>
          {rows
            .filter((one) => one.model === model)
            .map((entry) => (
              <label key={entry.slug} className="switch">
                <input
                  type="checkbox"
                  role="switch"
                  checked={entry.isOn}
                  disabled={change.isPending}
                  onChange={(event) => change.mutate({ ...entry, isOn: event.currentTarget.checked })}
                />
                <code>{entry.slug}</code>
              </label>
            ))}
        </fieldset>
      ))}
      {change.error && <Failure error={change.error} />}
    </>
  );
}

/** Excluded providers behind the aggregator. */
export function Exclusions({ slugs, builtIn }: { slugs: readonly string[]; builtIn: readonly BuiltIn[] }) {
  const { say, number } = useWords();
  const active = slugs.length + builtIn.filter(({ isOn }) => isOn).length;
  return (
    <Fold
      head={
        <>
          {say('exclusion.title')} <span className="muted tabular">{number(active)}</span>
        </>
      }
    >
      {() => (
        <div className="exclusions">
          <p className="small muted">{say('exclusion.why')}</p>
          <Own slugs={slugs} />
          <BuiltIns rows={builtIn} />
        </div>
      )}
    </Fold>
  );
}
