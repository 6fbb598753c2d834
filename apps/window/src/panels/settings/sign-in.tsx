import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Check, LoaderCircle } from 'lucide-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { later } from '../../ambient.ts';
import { openOutside } from '../../parts/outside-address.ts';
import { OutsideAnchor } from '../../parts/outside-anchor.tsx';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { providersQuery } from '../../wire/models.ts';
import type { ProviderRow, SignIn } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { useRefresh } from './provider-actions.ts';

/** Polling interval while the user signs in at the aggregator. */
const LOOK_MS = 2_000;

/** Where the aggregator shows its code, when the browser cannot be redirected back. */
function CodeForm({ begun, onDone }: { begun: SignIn; onDone: () => void }) {
  const { say } = useWords();
  const id = useId();
  const [code, setCode] = useState('');
  const finish = useMutation({
    mutationFn: () => api.post('/auth/aggregator/code', { body: { state: begun.state, code: code.trim() } }),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) finish.mutate();
  };
  return (
    <form onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {say('signIn.code')}
      </label>
      <div className="inline-form">
        <input
          id={id}
          autoFocus
          className="input code-input"
          autoComplete="one-time-code"
          spellCheck={false}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
        />
        <Button type="submit" loading={finish.isPending} disabled={!code.trim()}>
          {say('signIn.finish')}
        </Button>
      </div>
      {finish.error && <Failure error={finish.error} />}
    </form>
  );
}

const signedInKey = ({ pool }: ProviderRow): string | undefined =>
  pool.find(({ origin }) => origin === 'sign-in')?.fingerprint;

interface Begun extends SignIn {
  /** The key of an earlier sign-in, which the new one replaces. */
  before: string | undefined;
}

/** A pending sign-in: ended by a stored key, its timeout, or the user. */
function Waiting({ begun, onDone, cancel }: { begun: Begun; onDone: () => void; cancel: () => void }) {
  const { say } = useWords();
  const [isOver, setIsOver] = useState(false);
  const { data } = useQuery({
    ...providersQuery,
    refetchInterval: begun.mode === 'browser' && !isOver ? LOOK_MS : false,
  });
  const row = data?.find(({ id }) => id === 'aggregator');
  const now = row && signedInKey(row);
  const isDone = now !== undefined && now !== begun.before;
  useEffect(() => later(begun.expiresInMs, () => setIsOver(true)), [begun.expiresInMs]);
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone, onDone]);
  return (
    <>
      {isOver ? (
        <p className="small warning" role="status">
          {say('signIn.over')}
        </p>
      ) : (
        <p className="small muted" role="status">
          {begun.mode === 'browser' && <LoaderCircle size={12} className="spin" aria-hidden />}{' '}
          {say(begun.mode === 'browser' ? 'signIn.waiting' : 'signIn.onScreen')}{' '}
          <OutsideAnchor address={begun.address}>{say('signIn.open')}</OutsideAnchor>
        </p>
      )}
      {begun.mode === 'screen' && !isOver && <CodeForm begun={begun} onDone={onDone} />}
      <div className="inline-form">
        <Button variant="subtle" color="gray" onClick={cancel}>
          {say(isOver ? 'act.close' : 'act.cancel')}
        </Button>
      </div>
    </>
  );
}

/** Signing in to the aggregator instead of copying a key: in the browser, or with a code from its page. */
export function SignInForm({ row }: { row: ProviderRow }) {
  const { say } = useWords();
  const refresh = useRefresh();
  const [isDone, setIsDone] = useState(false);
  const before = signedInKey(row);
  const begin = useMutation({
    mutationFn: async (hasNoRedirect: boolean): Promise<Begun> => ({
      ...(await api.post('/auth/aggregator/start', { body: hasNoRedirect ? { hasNoRedirect } : {} })),
      before,
    }),
    onMutate: () => setIsDone(false),
    onSuccess: ({ address }) => void openOutside(address),
  });
  const done = () => {
    begin.reset();
    setIsDone(true);
    void refresh(undefined, null);
  };
  return (
    <section className="field" aria-label={say('signIn.title')}>
      <p className="field-label">{say('signIn.title')}</p>
      {begin.data ? (
        <Waiting begun={begin.data} onDone={done} cancel={begin.reset} />
      ) : (
        <div className="inline-form">
          <Button loading={begin.isPending} onClick={() => begin.mutate(false)}>
            {say(before === undefined ? 'signIn.browser' : 'signIn.again')}
          </Button>
          <Button variant="subtle" color="gray" disabled={begin.isPending} onClick={() => begin.mutate(true)}>
            {say('signIn.screen')}
          </Button>
          {isDone && (
            <span className="small success" role="status">
              <Check size={12} aria-hidden /> {say('signIn.done')}
            </span>
          )}
        </div>
      )}
      {begin.error && <Failure error={begin.error} />}
    </section>
  );
}
