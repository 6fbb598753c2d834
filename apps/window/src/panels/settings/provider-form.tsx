import { Button } from '@mantine/core';
import { Activity, Check, CircleAlert, Globe, KeyRound, LoaderCircle } from 'lucide-react';
import { useState } from 'react';
import { Fold } from '../../parts/box.tsx';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { Failure } from '../../parts/states.tsx';
import type { ProviderRow, ProviderTest } from '../../wire/records.ts';
import { useWords, type Words } from '../../words/words.ts';
import { useLastTest, useProviderTest } from './provider-actions.ts';
import { Runtime } from './provider-address.tsx';
import { blockOf, factsOf, isBegun, toneOf } from './provider-facts.ts';
import { Keys } from './provider-keys.tsx';

const SignInForm = lazyPart(async () => (await import('./sign-in.tsx')).SignInForm);
const Headers = lazyPart(async () => (await import('./provider-headers.tsx')).Headers);
const Exclusions = lazyPart(async () => (await import('./exclusions.tsx')).Exclusions);

function outcomeWords(test: ProviderTest, say: Words['say']): string {
  return test.outcome === 'reached' && test.models !== null
    ? say('outcome.reached.models', { count: test.models })
    : say(`outcome.${test.outcome}`);
}

/** Key, address and last test, which are independent: each only where something was set or is wrong. */
export function ProviderFacts({ row }: { row: ProviderRow }) {
  const { say } = useWords();
  const test = useLastTest(row.id);
  const facts = factsOf(row, test);
  const isSetUp = isBegun(row);
  const all = [
    {
      isShown: facts.credential !== 'unneeded' && (facts.credential !== 'missing' || isSetUp),
      Icon: KeyRound,
      name: say('fact.credential'),
      words: say(`credential.${facts.credential}`),
      state: facts.credential,
    },
    {
      isShown: facts.address === 'own' || (facts.address === 'missing' && isSetUp),
      Icon: Globe,
      name: say('fact.address'),
      words: say(`address.${facts.address}`),
      state: facts.address,
    },
    {
      isShown: test !== undefined && test !== null,
      Icon: Activity,
      name: say('fact.test'),
      words: test ? outcomeWords(test, say) : say('test.untested'),
      state: facts.test,
    },
  ];
  const shown = all.filter(({ isShown }) => isShown);
  if (shown.length === 0) return null;
  return (
    <span className="facts-row small">
      {shown.map(({ Icon, name, words, state }) => (
        <span key={name} className="provider-fact" data-tone={toneOf(state)} title={`${name}: ${words}`}>
          <Icon size={12} aria-hidden />
          <span className="unseen">{name}: </span>
          {words}
        </span>
      ))}
    </span>
  );
}

function TestOutcome({ test }: { test: ProviderTest }) {
  const { say, duration } = useWords();
  const isGood = test.outcome === 'reached';
  const Icon = isGood ? Check : CircleAlert;
  return (
    <p className="outcome" role="status">
      <Icon size={14} className={isGood ? 'success' : 'danger'} aria-hidden />
      <span>{outcomeWords(test, say)}</span>
      {test.latencyMs !== null && <span className="muted tabular">{duration(test.latencyMs)}</span>}
      {(!isGood || test.agent) && test.detail && <span className="muted">{test.detail}</span>}
      {test.providerMessage && <q className="muted">{test.providerMessage}</q>}
    </p>
  );
}

/** Tests the saved settings. */
function Trial({ row, isUnsaved }: { row: ProviderRow; isUnsaved: boolean }) {
  const { say } = useWords();
  const trial = useProviderTest(row.id);
  const last = useLastTest(row.id);
  return (
    <>
      <div className="inline-form">
        <Button onClick={() => trial.mutate()} disabled={trial.isPending || isUnsaved}>
          {say('act.test')}
        </Button>
        {isUnsaved && <span className="small muted">{say('provider.test.unsaved')}</span>}
        {trial.isPending && (
          <span className="small muted" role="status">
            <LoaderCircle size={12} className="spin" aria-hidden /> {say('provider.test.testing')}
          </span>
        )}
        {last && !trial.isPending && !isUnsaved && <TestOutcome test={last} />}
      </div>
      {trial.error && <Failure error={trial.error} />}
    </>
  );
}

/** Key, address and test of one provider. */
export function ProviderForm({ row }: { row: ProviderRow }) {
  const { say } = useWords();
  const [hasNewKey, setHasNewKey] = useState(false);
  const [hasNewHeader, setHasNewHeader] = useState(false);
  const [hasNewRuntime, setHasNewRuntime] = useState(false);
  const hasKeys = row.requiresKey || row.pool.length > 0;
  const runtime = <Runtime row={row} tellUnsaved={setHasNewRuntime} />;
  // With a key the address seldom changes; if it is required or missing, its section is open.
  const [isFolded] = useState(
    () => row.requiresKey && (row.supportsEndpoint || row.supportsTimeout) && blockOf(row) !== 'no-address',
  );
  return (
    <div className="provider-form">
      {row.supportsOAuth && <SignInForm row={row} />}
      {!isFolded && runtime}
      {hasKeys && <Keys row={row} tellUnsaved={setHasNewKey} />}
      {isFolded && <Fold head={say('provider.limits')}>{() => runtime}</Fold>}
      <Fold head={say('header.title')}>{() => <Headers row={row} tellUnsaved={setHasNewHeader} />}</Fold>
      {row.excluded && <Exclusions slugs={row.excluded} builtIn={row.builtInExclusions ?? []} />}
      <Trial row={row} isUnsaved={hasNewKey || hasNewRuntime || hasNewHeader} />
    </div>
  );
}
