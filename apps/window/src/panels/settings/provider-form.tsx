import { Button } from '@mantine/core';
import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check, CircleAlert, LoaderCircle, Trash2 } from 'lucide-react';
import { type FormEvent, type InputHTMLAttributes, useEffect, useId, useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Ref } from '../../parts/ref.tsx';
import { Failure } from '../../parts/states.tsx';
import { address, send } from '../../wire/call.ts';
import { doctorQuery } from '../../wire/queries.ts';
import type { PoolKey, ProviderRow, ProviderTest } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { SignInForm } from './sign-in.tsx';

/** Characters of a fingerprint that tell one key from another. */
const SHOWN_FINGERPRINT = 12;
/** The server takes this much of a wait, in seconds. */
const [SHORTEST_WAIT, LONGEST_WAIT] = [5, 300];

function useProviderAct<Body, Answer = unknown>(id: string, ...path: string[]): UseMutationResult<Answer, Error, Body> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => send<Answer>(address(['providers', id, ...path]), body),
    onSettled: () =>
      Promise.all(
        ['providers', 'models', 'setup', 'doctor'].map((queryKey) =>
          client.invalidateQueries({ queryKey: [queryKey] }),
        ),
      ),
  });
}

function Pooled({ row, pooled }: { row: ProviderRow; pooled: PoolKey }) {
  const { say, date } = useWords();
  const remove = useProviderAct<{ impronta: string }>(row.id, 'keys', 'remove');
  return (
    <li className="pooled">
      <span className="pooled-name">{pooled.nome}</span>
      <Ref value={pooled.impronta} shown={`${pooled.impronta.slice(0, SHOWN_FINGERPRINT)}…`} />
      <span className="small muted tabular">{say('provider.key.priority', { value: pooled.priorita })}</span>
      <span className={pooled.stato === 'disponibile' ? 'small success' : 'small warning'}>
        {pooled.stato === 'disponibile'
          ? say('provider.key.available')
          : say('provider.key.benched', { until: pooled.inPanchinaFino ? date(pooled.inPanchinaFino) : '—' })}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={say('provider.key.remove', { name: pooled.nome })}
        title={say('act.remove')}
        disabled={remove.isPending}
        onClick={() => remove.mutate({ impronta: pooled.impronta })}
      >
        <Trash2 size={14} aria-hidden />
      </button>
      {remove.error && <Failure error={remove.error} />}
    </li>
  );
}

/** Says where keys go, and what is wrong with that place before a key is typed in vain. */
function KeyPlace() {
  const { say } = useWords();
  const doctor = useQuery(doctorQuery);
  const store = doctor.data?.voci.find((row) => row.id === 'key-store');
  if (store === undefined || store.stato === 'ok') return <p className="small muted">{say('provider.key.kept')}</p>;
  return (
    <p className="small warning">
      {store.dettaglio} {store.azione}
    </p>
  );
}

interface PartProps {
  row: ProviderRow;
  /** Tells whether something stands in the form that is not saved. */
  tellUnsaved: (isUnsaved: boolean) => void;
}

function useUnsaved(isUnsaved: boolean, tell: PartProps['tellUnsaved']): void {
  useEffect(() => {
    tell(isUnsaved);
    return () => tell(false);
  }, [tell, isUnsaved]);
}

function Keys({ row, tellUnsaved }: PartProps) {
  const { say } = useWords();
  const id = useId();
  const [key, setKey] = useState('');
  useUnsaved(key.trim() !== '', tellUnsaved);
  const add = useProviderAct<{ key: string }>(row.id, 'keys');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim()) add.mutate({ key: key.trim() }, { onSuccess: () => setKey('') });
  };
  return (
    <div className="field">
      <form onSubmit={submit}>
        <label className="field-label" htmlFor={id}>
          {say(row.pool.length > 0 ? 'provider.key.add' : 'provider.key')}
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
          <Button type="submit" loading={add.isPending} disabled={!key.trim()}>
            {say('act.save')}
          </Button>
        </div>
      </form>
      <KeyPlace />
      {add.error && <Failure error={add.error} />}
      {row.pool.length > 0 && (
        <ul className="pool">
          {row.pool.map((pooled) => (
            <Pooled key={pooled.impronta} row={row} pooled={pooled} />
          ))}
        </ul>
      )}
    </div>
  );
}

function Field({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input id={id} {...input} />
    </div>
  );
}

function Runtime({ row, tellUnsaved }: PartProps) {
  const { say } = useWords();
  const [endpoint, setEndpoint] = useState(row.endpoint ?? row.defaultEndpoint ?? '');
  const [seconds, setSeconds] = useState(String(row.timeoutSeconds));
  const [isEdited, setIsEdited] = useState(false);
  useUnsaved(isEdited, tellUnsaved);
  const save = useProviderAct<{ endpoint?: string; timeoutSeconds?: number }>(row.id, 'runtime');
  const reset = useProviderAct<void>(row.id, 'runtime', 'reset');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      {
        ...(row.supportsEndpoint ? { endpoint: endpoint.trim() } : {}),
        ...(row.supportsTimeout ? { timeoutSeconds: Number(seconds) } : {}),
      },
      { onSuccess: () => setIsEdited(false) },
    );
  };
  const restore = () => {
    setEndpoint(row.defaultEndpoint ?? '');
    setIsEdited(false);
  };
  if (!row.supportsEndpoint && !row.supportsTimeout) return null;
  return (
    <form className="runtime" onSubmit={submit} onChange={() => setIsEdited(true)}>
      {row.supportsEndpoint && (
        <Field
          label={say('provider.endpoint')}
          className="input code-input"
          inputMode="url"
          value={endpoint}
          onChange={(event) => setEndpoint(event.currentTarget.value)}
        />
      )}
      {row.supportsTimeout && (
        <Field
          label={say('provider.timeout')}
          className="input tabular"
          type="number"
          min={SHORTEST_WAIT}
          max={LONGEST_WAIT}
          required
          value={seconds}
          onChange={(event) => setSeconds(event.currentTarget.value)}
        />
      )}
      <div className="inline-form">
        <Button type="submit" loading={save.isPending}>
          {say('act.save')}
        </Button>
        {row.endpointConfigured && row.defaultEndpoint !== null && (
          <Button
            variant="subtle"
            color="gray"
            loading={reset.isPending}
            onClick={() => reset.mutate(undefined, { onSuccess: restore })}
          >
            {say('provider.endpoint.reset')}
          </Button>
        )}
        {save.isSuccess && (
          <span className="small success" role="status">
            <Check size={12} aria-hidden /> {say('provider.saved')}
          </span>
        )}
      </div>
      {(save.error ?? reset.error) && <Failure error={save.error ?? reset.error} />}
    </form>
  );
}

function TestOutcome({ test }: { test: ProviderTest }) {
  const { say, duration } = useWords();
  const isGood = test.esito === 'raggiunto';
  const words =
    isGood && test.modelli !== null
      ? say('outcome.raggiunto.models', { count: test.modelli })
      : say(`outcome.${test.esito}`);
  const Icon = isGood ? Check : CircleAlert;
  return (
    <p className="outcome" role="status">
      <Icon size={14} className={isGood ? 'success' : 'danger'} aria-hidden />
      <span>{words}</span>
      {test.latenzaMs !== null && <span className="muted tabular">{duration(test.latenzaMs)}</span>}
      {!isGood && test.dettaglio && <span className="muted">{test.dettaglio}</span>}
    </p>
  );
}

/** Key, address and proof: three separate facts of one provider. */
export function ProviderForm({ row }: { row: ProviderRow }) {
  const { say } = useWords();
  const test = useProviderAct<void, ProviderTest>(row.id, 'test');
  const [hasNewKey, setHasNewKey] = useState(false);
  const [hasNewRuntime, setHasNewRuntime] = useState(false);
  // A test of what was saved before would be read as one of what was just written.
  const isUnsaved = hasNewKey || hasNewRuntime;
  return (
    <div className="provider-form">
      {row.id === 'aggregator' && <SignInForm keys={row.pool.length} />}
      {(row.requiresKey || row.pool.length > 0) && <Keys row={row} tellUnsaved={setHasNewKey} />}
      {row.requiresKey && (row.supportsEndpoint || row.supportsTimeout) ? (
        // With a key the address is seldom touched; without one it is all there is.
        <Fold head={say('provider.limits')}>{() => <Runtime row={row} tellUnsaved={setHasNewRuntime} />}</Fold>
      ) : (
        <Runtime row={row} tellUnsaved={setHasNewRuntime} />
      )}
      <div className="inline-form">
        <Button onClick={() => test.mutate()} disabled={test.isPending || isUnsaved}>
          {say('act.test')}
        </Button>
        {isUnsaved && <span className="small muted">{say('provider.test.unsaved')}</span>}
        {test.isPending && (
          <span className="small muted" role="status">
            <LoaderCircle size={12} className="spin" aria-hidden /> {say('provider.test.testing')}
          </span>
        )}
        {test.data && !test.isPending && !isUnsaved && <TestOutcome test={test.data} />}
      </div>
      {test.error && <Failure error={test.error} />}
    </div>
  );
}
