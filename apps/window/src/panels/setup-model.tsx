import '../styles/providers.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Cpu } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { lazyPart, Waiting } from '../parts/lazy-part.tsx';
import { Answer, Loading } from '../parts/states.tsx';
import { openOverlay } from '../shell/overlay-state.ts';
import { AGENT_MODEL } from '../wire/model-id.ts';
import { providersQuery } from '../wire/models.ts';
import type { ProviderRow } from '../wire/records.ts';
import { setupQuery } from '../wire/setup.ts';
import { useWords } from '../words/words.ts';
import { blockOf, isSettable } from './settings/provider-facts.ts';
import { ProviderFacts, ProviderForm } from './settings/provider-form.tsx';
import type { StepProps } from './setup-step.ts';

const ExternalAgent = lazyPart(async () => (await import('./settings/external-agent.tsx')).ExternalAgent);

const WAYS = ['cloud', 'local', 'agent'] as const;
type Way = (typeof WAYS)[number];
/** The single model of the external agent. */

function WayChoice({ way, choose }: { way: Way | undefined; choose: (way: Way) => void }) {
  const { say } = useWords();
  const name = useId();
  return (
    <fieldset className="levels">
      <legend className="field-label">{say('setup.way')}</legend>
      {WAYS.map((candidate) => (
        <label key={candidate} className="level" data-chosen={candidate === way || undefined}>
          <input type="radio" name={name} checked={candidate === way} onChange={() => choose(candidate)} />
          <span>
            <span className="level-name">{say(`setup.way.${candidate}`)}</span>
            <span className="level-why">{say(`setup.way.${candidate}.why`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** One provider of the kind, and its form. */
function ProviderChoice({ rows }: { rows: readonly ProviderRow[] }) {
  const { say } = useWords();
  const id = useId();
  const [chosen, setChosen] = useState(() => (rows.find((row) => !blockOf(row)) ?? rows[0])?.id);
  const row = rows.find((candidate) => candidate.id === chosen);
  return (
    <>
      <div className="field">
        <label className="field-label" htmlFor={id}>
          {say('setup.provider')}
        </label>
        <select
          id={id}
          className="input-button"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        >
          {rows.map((candidate) => (
            <option key={candidate.id} value={candidate.id}>
              {candidate.label}
            </option>
          ))}
        </select>
      </div>
      {row && <ProviderFacts row={row} />}
      {row && <ProviderForm key={row.id} row={row} />}
    </>
  );
}

/** Ready providers are shown first, so that nothing is entered twice. */
function Ready({ rows, hasAgent }: { rows: readonly ProviderRow[]; hasAgent: boolean }) {
  const { say } = useWords();
  const names = rows.filter((row) => isSettable(row) && !blockOf(row)).map(({ label }) => label);
  if (hasAgent) names.push(say('setup.way.agent'));
  if (names.length === 0) return null;
  return (
    <p className="small success" role="status">
      <Check size={12} aria-hidden /> {say('setup.ready', { names: names.join(', ') })}
    </p>
  );
}

/** A provider with its key, a local engine or an external agent; then the model. */
export function ModelStep({ choices, change }: StepProps) {
  const { say } = useWords();
  const query = useQuery(providersQuery);
  const setup = useQuery(setupQuery);
  const [way, setWay] = useState<Way>();
  return (
    <Answer query={query} lines={6}>
      {(rows) => (
        <>
          <Ready rows={rows} hasAgent={setup.data?.provider.hasExternalAgent ?? false} />
          <WayChoice way={way} choose={setWay} />
          {(way === 'cloud' || way === 'local') && (
            <ProviderChoice
              key={way}
              rows={rows.filter((row) => isSettable(row) && (row.execution === 'local') === (way === 'local'))}
            />
          )}
          {way === 'local' && (
            <p>
              <Link to="/local-models">{say('setup.ours')}</Link>
            </p>
          )}
          {way === 'agent' && (
            <Waiting fallback={<Loading lines={4} />}>
              <ExternalAgent onSaved={() => change({ model: AGENT_MODEL })} />
            </Waiting>
          )}
          <p className="muted">{say('setup.model.pick')}</p>
          <Button
            size="sm"
            leftSection={<Cpu size={14} aria-hidden />}
            onClick={() => openOverlay({ kind: 'model', value: choices.model, choose: (model) => change({ model }) })}
          >
            {choices.model || say('model.choose')}
          </Button>
        </>
      )}
    </Answer>
  );
}
