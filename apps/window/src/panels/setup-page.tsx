import '../styles/forms.css';
import '../styles/settings.css';
import { Button } from '@mantine/core';
import { Check, Folder } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { readStored, writeStored } from '../ambient.ts';
import { Choice } from '../parts/choice.tsx';
import { lazyPart, Waiting } from '../parts/lazy-part.tsx';
import { LevelCards } from '../parts/permissions.tsx';
import { Loading } from '../parts/states.tsx';
import { useOverlay } from '../shell/overlay-state.ts';
import { LANGUAGES, setLanguage, useWords, withWords } from '../words/words.ts';
import { CHOICES_KEY, type Choices, nameOf } from './new-session/choices.ts';
import { FolderSummary } from './new-session/folder-summary.tsx';
import { FirstTask } from './new-session/templates.tsx';
import { useChoices } from './new-session/use-choices.ts';
import type { StepProps } from './setup-step.ts';

const FolderPicker = lazyPart(async () => (await withWords(import('./new-session/folder-picker.tsx'))).FolderPicker);
const ModelStep = lazyPart(async () => (await import('./setup-model.tsx')).ModelStep);
const Overlays = lazyPart(async () => (await withWords(import('../shell/overlays.tsx'))).Overlays);

const STEPS = ['welcome', 'folder', 'model', 'permissions', 'end'] as const;
type Step = (typeof STEPS)[number];
/** The step to resume after a reload. */
const PLACE_KEY = 'setup-at';

function FolderStep({ choices, change }: StepProps) {
  const { say } = useWords();
  const [isPicking, setIsPicking] = useState(false);
  return (
    <>
      <Button size="sm" leftSection={<Folder size={14} aria-hidden />} onClick={() => setIsPicking(true)}>
        {choices.folder ? say('setup.folder.chosen', { name: nameOf(choices.folder) }) : say('new.folder.choose')}
      </Button>
      {choices.folder && <FolderSummary folder={choices.folder} />}
      {isPicking && <FolderPicker choose={(folder) => change({ folder })} close={() => setIsPicking(false)} />}
    </>
  );
}

const POINTS = ['agent', 'permission', 'local'] as const;

/** What Fucina is, and its language. */
function Welcome() {
  const { say, language } = useWords();
  return (
    <>
      <ul className="welcome">
        {POINTS.map((point) => (
          <li key={point}>
            <Check size={14} className="accent" aria-hidden /> {say(`setup.welcome.${point}`)}
          </li>
        ))}
      </ul>
      <Choice
        label={say('settings.language')}
        values={LANGUAGES}
        value={language}
        name={(value) => say(`settings.language.${value}`)}
        choose={setLanguage}
      />
    </>
  );
}

/** Defaults of new sessions, as chosen during setup. */
function Summary({ choices, leave }: { choices: Choices; leave: () => void }) {
  const { say } = useWords();
  const none = say('setup.end.none');
  const facts = [
    [say('setup.end.folder'), choices.folder ? nameOf(choices.folder) : none],
    [say('setup.end.model'), choices.model || none],
    [say('setup.end.level'), say(`level.${choices.level}`)],
  ] as const;
  return (
    <>
      <dl className="facts setup-facts">
        {facts.map(([name, value]) => (
          <div key={name} className="fact">
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <FirstTask choices={choices} onStarted={leave} />
      <p className="muted small">{say('setup.later')}</p>
    </>
  );
}

function Body({ step, leave, ...rest }: StepProps & { step: Step; leave: () => void }): ReactNode {
  switch (step) {
    case 'welcome':
      return <Welcome />;
    case 'folder':
      return <FolderStep {...rest} />;
    case 'model':
      return (
        <Waiting fallback={<Loading lines={6} />}>
          <ModelStep {...rest} />
        </Waiting>
      );
    case 'permissions':
      return <LevelCards value={rest.choices.level} choose={(level) => rest.change({ level })} />;
    case 'end':
      return <Summary choices={rest.choices} leave={leave} />;
  }
}

const isPlace = (value: unknown): value is number => typeof value === 'number' && value in STEPS;

/** Each step can be skipped; an interrupted setup resumes at its step. */
function useSteps() {
  const navigate = useNavigate();
  const { search } = useLocation();
  const [at, setAt] = useState(() => readStored(PLACE_KEY, isPlace) ?? 0);
  const go = (place: number) => {
    writeStored(PLACE_KEY, place);
    setAt(place);
  };
  const finish = () => {
    writeStored('setup-left', true);
    writeStored(PLACE_KEY, 0);
  };
  const leave = () => {
    finish();
    void navigate({ pathname: '/', search });
  };
  return { at, go, leave, finish, step: STEPS[at] ?? 'end' };
}

/** The steps of the first-time setup. */
export function SetupPage() {
  const { say } = useWords();
  const overlay = useOverlay();
  const { at, go, leave, finish, step } = useSteps();
  const [choices, setChoices] = useChoices();
  const title = useRef<HTMLHeadingElement>(null);
  const change = (part: Partial<Choices>) => {
    const next = { ...choices, ...part };
    setChoices(next);
    writeStored(CHOICES_KEY, next);
  };
  useEffect(() => title.current?.focus(), [at]);
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
          <Body step={step} choices={choices} change={change} leave={finish} />
        </div>
        <footer className="setup-foot">
          {at > 0 && (
            <Button variant="subtle" color="gray" size="sm" onClick={() => go(at - 1)}>
              {say('act.back')}
            </Button>
          )}
          <span className="spacer" />
          {step !== 'end' && (
            <Button variant="subtle" color="gray" size="sm" onClick={leave}>
              {say('setup.leave')}
            </Button>
          )}
          <Button variant="filled" size="sm" onClick={step === 'end' ? leave : () => go(at + 1)}>
            {say(step === 'end' ? 'setup.end.start' : 'act.next')}
          </Button>
        </footer>
      </div>
      {overlay && <Overlays overlay={overlay} />}
    </main>
  );
}
