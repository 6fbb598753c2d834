import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, KeyRound, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { now } from '../../ambient.ts';
import { Ref } from '../../parts/ref.tsx';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import type { PoolKey, ProviderRow } from '../../wire/records.ts';
import { doctorQuery } from '../../wire/setup.ts';
import { isWordKey, useWords } from '../../words/words.ts';
import { KeyInput } from './key-input.tsx';
import { priorityAt, priorityMoved } from './key-order.ts';
import { useAddKey, useProviderAction } from './provider-actions.ts';

/** Characters of a fingerprint that identify a key. */
const SHOWN_FINGERPRINT = 12;
const MOST_KEYS = 8;

/** The interface names keys in one language only. */
function useKeyName({ name }: PoolKey): string {
  const { say } = useWords();
  const [number] = /\d+/.exec(name) ?? [];
  return number === undefined ? name : say('key.name', { number });
}

async function fingerprintOf(key: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(key)));
  return [...bytes].map((bytes) => bytes.toString(16).padStart(2, '0')).join('');
}

const isToday = (at: string): boolean => new Date(at).toDateString() === new Date(now()).toDateString();

/** Why a key is not used now, and until when. */
function KeyState({ pooled }: { pooled: PoolKey }) {
  const { say, date, time } = useWords();
  if (pooled.state === 'available') return <span className="small success">{say('provider.key.available')}</span>;
  const cause = `key.cause.${pooled.cause}`;
  return (
    <span className="small warning">
      {isWordKey(cause) && <>{say(cause)} </>}
      {pooled.coolingDownUntil &&
        say('provider.key.cooldown', {
          until: (isToday(pooled.coolingDownUntil) ? time : date)(pooled.coolingDownUntil),
        })}
    </span>
  );
}

type Again = { reason: 'up' | 'down' | 'bind'; priority: number };

/** Keys cannot be read back: to move one, or to bind it to the current address, it must be entered again. */
function AgainForm({
  row,
  pooled,
  again,
  done,
}: {
  row: ProviderRow;
  pooled: PoolKey;
  again: Again;
  done: () => void;
}) {
  const { say } = useWords();
  const name = useKeyName(pooled);
  const [isOther, setIsOther] = useState(false);
  const add = useAddKey(row.id);
  const save = async (key: string, clear: () => void) => {
    const isSame = (await fingerprintOf(key)) === pooled.fingerprint;
    setIsOther(!isSame);
    if (!isSame) return;
    add.mutate(
      { key, priority: again.priority },
      {
        onSuccess() {
          clear();
          done();
        },
      },
    );
  };
  return (
    <div className="pooled-again">
      <KeyInput
        isFocused
        label={say('key.again', { name })}
        act={say(again.reason === 'bind' ? 'key.bind' : 'key.move')}
        isBusy={add.isPending}
        save={(key, clear) => void save(key, clear)}
      >
        <button type="button" className="text-button" onClick={done}>
          {say('act.cancel')}
        </button>
      </KeyInput>
      <p className="small muted">{say('key.again.why')}</p>
      {isOther && (
        <p className="small danger" role="alert">
          {say('key.again.other', { name })}
        </p>
      )}
      {add.error && <Failure error={add.error} />}
    </div>
  );
}

function Act(props: { label: string; isDisabled?: boolean; act: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={props.label}
      title={props.label}
      disabled={props.isDisabled ?? false}
      onClick={props.act}
    >
      {props.children}
    </button>
  );
}

function Pooled({ row, pooled }: { row: ProviderRow; pooled: PoolKey }) {
  const { say } = useWords();
  const name = useKeyName(pooled);
  const [again, setAgain] = useState<Again>();
  const remove = useProviderAction(row.id, (body: { fingerprint: string }) =>
    api.post('/providers/{providerId}/keys/remove', { path: { providerId: row.id }, body }),
  );
  const runsInOtherProcess = pooled.cause === 'address-changed';
  const move = (reason: 'up' | 'down') => {
    const priority = priorityMoved(row.pool, pooled.fingerprint, reason);
    return { isDisabled: priority === undefined, act: () => priority !== undefined && setAgain({ reason, priority }) };
  };
  return (
    <li>
      <div className="pooled">
        <span className="pooled-name">{name}</span>
        <Ref value={pooled.fingerprint} shown={`${pooled.fingerprint.slice(0, SHOWN_FINGERPRINT)}…`} />
        {pooled.origin === 'sign-in' && <span className="small muted">{say('key.signedIn')}</span>}
        <KeyState pooled={pooled} />
        <span className="pooled-acts">
          {runsInOtherProcess && (
            <Act
              label={say('key.bind.name', { name })}
              act={() => setAgain({ reason: 'bind', priority: pooled.priority })}
            >
              <KeyRound size={14} aria-hidden />
            </Act>
          )}
          {row.pool.length > 1 && (
            <>
              <Act label={say('key.up', { name })} {...move('up')}>
                <ArrowUp size={14} aria-hidden />
              </Act>
              <Act label={say('key.down', { name })} {...move('down')}>
                <ArrowDown size={14} aria-hidden />
              </Act>
            </>
          )}
          <Act
            label={say('provider.key.remove', { name })}
            isDisabled={remove.isPending}
            act={() => remove.mutate({ fingerprint: pooled.fingerprint })}
          >
            <Trash2 size={14} aria-hidden />
          </Act>
        </span>
      </div>
      {again && <AgainForm row={row} pooled={pooled} again={again} done={() => setAgain(undefined)} />}
      {remove.error && <Failure error={remove.error} />}
    </li>
  );
}

/** Where keys are stored, and whether that works, before the user types one. */
function KeyPlace() {
  const { say } = useWords();
  const doctor = useQuery(doctorQuery);
  const store = doctor.data?.entries.find((row) => row.id === 'key-store');
  if (store === undefined || store.state === 'ok') return <p className="small muted">{say('provider.key.stored')}</p>;
  return (
    <p className="small warning">
      {store.detail} {store.action}
    </p>
  );
}

/** Position of a new key among existing ones. */
function PlaceSelect({ place, choose }: { place: 'first' | 'last'; choose: (place: 'first' | 'last') => void }) {
  const { say } = useWords();
  return (
    <select
      className="chip"
      aria-label={say('key.place')}
      value={place}
      onChange={(event) => choose(event.currentTarget.value === 'first' ? 'first' : 'last')}
    >
      <option value="last">{say('key.place.last')}</option>
      <option value="first">{say('key.place.first')}</option>
    </select>
  );
}

interface KeysProps {
  row: ProviderRow;
  /** Reports whether the form has unsaved content. */
  tellUnsaved: (isUnsaved: boolean) => void;
}

/** The keys of one provider, in the order of use. */
export function Keys({ row, tellUnsaved }: KeysProps) {
  const { say } = useWords();
  const [place, setPlace] = useState<'first' | 'last'>('last');
  const add = useAddKey(row.id);
  const { pool } = row;
  const runsInOtherProcess = pool.length > 0 && !row.keyConfigured;
  const save = (key: string, clear: () => void) =>
    add.mutate({ key, ...(pool.length > 0 ? { priority: priorityAt(pool, place) } : {}) }, { onSuccess: clear });
  return (
    <div className="field">
      {runsInOtherProcess && <p className="small warning">{say('key.elsewhere')}</p>}
      {pool.length < MOST_KEYS ? (
        <KeyInput
          label={say(
            runsInOtherProcess ? 'key.elsewhere.label' : pool.length > 0 ? 'provider.key.add' : 'provider.key',
          )}
          isBusy={add.isPending}
          save={save}
          onEdit={tellUnsaved}
        >
          {pool.length > 0 && <PlaceSelect place={place} choose={setPlace} />}
        </KeyInput>
      ) : (
        <p className="small muted">{say('key.full', { count: MOST_KEYS })}</p>
      )}
      <KeyPlace />
      {add.error && <Failure error={add.error} />}
      {pool.length > 0 && (
        <>
          {pool.length > 1 && <p className="small muted">{say('key.order')}</p>}
          <ul className="pool">
            {pool.map((pooled) => (
              <Pooled key={pooled.fingerprint} row={row} pooled={pooled} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
