import '../look/forms.css';
import '../look/settings.css';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Cpu, Folder } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { keep } from '../ambient.ts';
import { LevelCards } from '../parts/permissions.tsx';
import { Answer } from '../parts/states.tsx';
import { openOverlay, useOverlay } from '../shell/overlay-state.ts';
import { providersQuery } from '../wire/queries.ts';
import { useWords } from '../words/words.ts';
import { CHOICES_KEY, type Choices, lastChoices, nameOf } from './new-session/choices.ts';
import { Portrait } from './new-session/portrait.tsx';
import { ProviderForm } from './settings/provider-form.tsx';
import { isSettable, readinessOf } from './settings/providers.tsx';

const FolderPicker = lazy(async () => ({ default: (await import('./new-session/folder-picker.tsx')).FolderPicker }));
const Overlays = lazy(async () => ({ default: (await import('../shell/overlays.tsx')).Overlays }));

const STEPS = ['folder', 'model', 'permissions', 'end'] as const;
type Step = (typeof STEPS)[number];

interface StepProps {
  choices: Choices;
  change: (part: Partial<Choices>) => void;
}

function FolderStep({ choices, change }: StepProps) {
  const { say } = useWords();
  const [isPicking, setIsPicking] = useState(false);
  return (
    <>
      <Button size="sm" leftSection={<Folder size={14} aria-hidden />} onClick={() => setIsPicking(true)}>
        {choices.folder ? say('setup.folder.chosen', { name: nameOf(choices.folder) }) : say('new.folder.choose')}
      </Button>
      {choices.folder && <Portrait folder={choices.folder} />}
      {isPicking && (
        <Suspense>
          <FolderPicker choose={(folder) => change({ folder })} close={() => setIsPicking(false)} />
        </Suspense>
      )}
    </>
  );
}

function ModelStep({ choices, change }: StepProps) {
  const { say } = useWords();
  const query = useQuery(providersQuery);
  const [chosen, setChosen] = useState<string>();
  return (
    <Answer query={query} lines={6}>
      {(rows) => {
        const settable = rows.filter(isSettable);
        const row = settable.find((candidate) => candidate.id === chosen);
        return (
          <>
            <select
              className="input-button"
              aria-label={say('settings.providers')}
              value={chosen ?? ''}
              onChange={(event) => setChosen(event.currentTarget.value)}
            >
              <option value="">{say('provider.search')}</option>
              {settable.map((candidate) => (
                <option key={candidate.id} value={candidate.id}>
                  {candidate.label} — {say(readinessOf(candidate))}
                </option>
              ))}
            </select>
            {row && <ProviderForm key={row.id} row={row} />}
            <p className="muted">{say('setup.model.pick')}</p>
            <Button
              size="sm"
              leftSection={<Cpu size={14} aria-hidden />}
              onClick={() => openOverlay({ kind: 'model', value: choices.model, choose: (model) => change({ model }) })}
            >
              {choices.model || say('model.choose')}
            </Button>
          </>
        );
      }}
    </Answer>
  );
}

function Body({ step, ...rest }: StepProps & { step: Step }): ReactNode {
  switch (step) {
    case 'folder':
      return <FolderStep {...rest} />;
    case 'model':
      return <ModelStep {...rest} />;
    case 'permissions':
      return <LevelCards value={rest.choices.level} choose={(level) => rest.change({ level })} />;
    case 'end':
      return <Check size={28} className="success" aria-hidden />;
  }
}

/** The four steps of whoever comes for the first time. Each can be passed over. */
export function SetupPage() {
  const { say } = useWords();
  const navigate = useNavigate();
  const overlay = useOverlay();
  const [at, setAt] = useState(0);
  const [choices, setChoices] = useState(lastChoices);
  const title = useRef<HTMLHeadingElement>(null);
  const step = STEPS[at] ?? 'end';
  const change = (part: Partial<Choices>) => {
    const next = { ...choices, ...part };
    setChoices(next);
    keep(CHOICES_KEY, next);
  };
  useEffect(() => title.current?.focus(), [at]);
  const leave = () => {
    keep('setup-left', true);
    void navigate('/');
  };
  return (
    <main className="setup stage-page">
      <div className="page">
        <p className="brand">Fucina</p>
        <p className="muted small tabular">{say('setup.step', { at: at + 1, of: STEPS.length })}</p>
        <h1 ref={title} tabIndex={-1}>
          {say(`setup.${step}.title`)}
        </h1>
        <p className="muted">{say(`setup.${step}.text`)}</p>
        <div className="setup-body">
          <Body step={step} choices={choices} change={change} />
        </div>
        <footer className="setup-foot">
          {at > 0 && (
            <Button variant="subtle" color="gray" size="sm" onClick={() => setAt(at - 1)}>
              {say('act.back')}
            </Button>
          )}
          <span className="spacer" />
          {step !== 'end' && (
            <Button variant="subtle" color="gray" size="sm" onClick={leave}>
              {say('setup.leave')}
            </Button>
          )}
          <Button variant="filled" size="sm" onClick={step === 'end' ? leave : () => setAt(at + 1)}>
            {say(step === 'end' ? 'setup.end.start' : 'act.next')}
          </Button>
        </footer>
      </div>
      {overlay && (
        <Suspense>
          <Overlays overlay={overlay} />
        </Suspense>
      )}
    </main>
  );
}
