import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { type Price, type PricedModel, pricesQuery, refreshUsage, setPrice } from '../../wire/usage.ts';
import { useWords } from '../../words/words.ts';

/** Prices of the used models; those that nobody states can be entered. */
export function Prices() {
  const { say } = useWords();
  const query = useQuery(pricesQuery);
  return (
    <section className="field" aria-label={say('price.title')}>
      <h2 className="usage-title">{say('price.title')}</h2>
      <p className="small muted">{say('price.why')}</p>
      <Answer query={query} lines={2}>
        {(models) =>
          models.length === 0 ? (
            <p className="small muted">{say('price.none')}</p>
          ) : (
            <ul className="usage-prices">
              {models.map((model) => (
                <PriceRow key={model.model} model={model} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}

function PriceRow({ model }: { model: PricedModel }) {
  const { say, money } = useWords();
  const [isEditing, setIsEditing] = useState(false);
  const { model: id, price, isOwn } = model;
  const mayEdit = price === null || isOwn;
  return (
    <li className="usage-price">
      <code>{id}</code>
      <span className="small muted tabular">
        {price
          ? say(isOwn ? 'price.own' : 'price.stated', { in: money(price.input), out: money(price.output) })
          : say('usage.unknown')}
      </span>
      {mayEdit && !isEditing && (
        <button
          type="button"
          className="text-button small"
          aria-label={say('price.editOf', { model: id })}
          onClick={() => setIsEditing(true)}
        >
          {say(price ? 'price.edit' : 'price.enter')}
        </button>
      )}
      {isEditing && <PriceForm model={model} close={() => setIsEditing(false)} />}
    </li>
  );
}

const FIELDS = ['input', 'output', 'cache'] as const;

function PriceForm({ model: { model, price: known }, close }: { model: PricedModel; close: () => void }) {
  const { say } = useWords();
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => ({
    input: known ? String(known.input) : '',
    output: known ? String(known.output) : '',
    cache: known?.cache == null ? '' : String(known.cache),
  }));
  const save = useMutation({
    mutationFn: (price: Price | null) => setPrice(model, price),
    onSuccess: close,
    onSettled: () => refreshUsage(client),
  });
  const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.replace(',', '.')));
  const cache = draft.cache.trim() === '' ? null : numberIn(draft.cache);
  const price: Price = { input: numberIn(draft.input), output: numberIn(draft.output), cache };
  const isValid = [price.input, price.output, cache ?? 0].every((value) => value >= 0 && value <= 100_000);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isValid) save.mutate(price);
  };
  return (
    <form className="usage-price-form" onSubmit={submit}>
      {FIELDS.map((name) => (
        <label key={name} className="small">
          {say(`price.${name}`)}
          <input
            className="input tabular"
            inputMode="decimal"
            autoComplete="off"
            value={draft[name]}
            onChange={(event) => setDraft({ ...draft, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      <Button type="submit" disabled={!isValid} loading={save.isPending}>
        {say('act.save')}
      </Button>
      {known && (
        <Button variant="default" onClick={() => save.mutate(null)}>
          {say('price.remove')}
        </Button>
      )}
      <Button variant="default" onClick={close}>
        {say('act.cancel')}
      </Button>
      {save.error && <Failure error={save.error} />}
    </form>
  );
}
