import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { address, send } from '../../wire/call.ts';
import type { SignIn } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

/** Where the aggregator gives its code to copy, because the browser cannot come back here by itself. */
function CodeForm({ begun, onDone }: { begun: SignIn; onDone: () => void }) {
  const { say } = useWords();
  const id = useId();
  const [code, setCode] = useState('');
  const finish = useMutation({
    mutationFn: () => send(address(['auth', 'aggregator', 'codice']), { stato: begun.stato, codice: code.trim() }),
    onSuccess: onDone,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim()) finish.mutate();
  };
  return (
    <form className="field" onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {say('signIn.code')}
      </label>
      <div className="inline-form">
        <input
          id={id}
          className="input code-input"
          autoComplete="one-time-code"
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

/** Signing in to the aggregator instead of copying a key: in the browser, or with a code shown on its page. */
export function SignInForm({ keys }: { keys: number }) {
  const { say } = useWords();
  const client = useQueryClient();
  const [keysBefore, setKeysBefore] = useState<number>();
  const refresh = () => client.invalidateQueries({ queryKey: ['providers'] });
  const begin = useMutation({
    mutationFn: (senzaRitorno: boolean) =>
      send<SignIn>(address(['auth', 'aggregator', 'inizia']), senzaRitorno ? { senzaRitorno } : {}),
    onSuccess(begun) {
      setKeysBefore(keys);
      window.open(begun.indirizzo, '_blank', 'noopener');
    },
  });
  const isDone = keysBefore !== undefined && keys > keysBefore;
  const cancel = () => {
    begin.reset();
    setKeysBefore(undefined);
  };
  return (
    <div className="field">
      <p className="field-label">{say('signIn.title')}</p>
      {begin.data && !isDone ? (
        <>
          <p className="small muted" role="status">
            {say(begin.data.modo === 'browser' ? 'signIn.waiting' : 'signIn.onScreen')}{' '}
            <a href={begin.data.indirizzo} target="_blank" rel="noreferrer">
              {say('signIn.open')}
            </a>
          </p>
          {begin.data.modo === 'schermo' && <CodeForm begun={begin.data} onDone={() => void refresh()} />}
          <div className="inline-form">
            {begin.data.modo === 'browser' && <Button onClick={() => void refresh()}>{say('signIn.look')}</Button>}
            <Button variant="subtle" color="gray" onClick={cancel}>
              {say('act.cancel')}
            </Button>
          </div>
        </>
      ) : (
        <div className="inline-form">
          <Button loading={begin.isPending} onClick={() => begin.mutate(false)}>
            {say('signIn.browser')}
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
    </div>
  );
}
