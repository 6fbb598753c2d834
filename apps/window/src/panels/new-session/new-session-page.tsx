import '../../styles/forms.css';
import { Button } from '@mantine/core';
import { useIsMutating, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, Cpu, Folder, Play } from 'lucide-react';
import { type Dispatch, type KeyboardEvent, type SetStateAction, useCallback, useId, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { readStored, writeStored } from '../../ambient.ts';
import { Fold } from '../../parts/box.tsx';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { ModelName } from '../../parts/model-name.tsx';
import { EffortSelect, LevelCards, ToolTable } from '../../parts/permissions.tsx';
import { PlanToggle } from '../../parts/plan-toggle.tsx';
import { Failure } from '../../parts/states.tsx';
import { useAutoGrow } from '../../parts/use-auto-grow.ts';
import { useDraft } from '../../shell/drafts.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { isMac, usePageShortcut } from '../../shell/shortcuts.ts';
import { sessionsQuery } from '../../wire/queries.ts';
import { setupQuery } from '../../wire/setup.ts';
import { refreshWorktrees } from '../../wire/worktrees.ts';
import { useWords, withWords } from '../../words/words.ts';
import { AttachButton } from '../session/composer/composer-buttons.tsx';
import { type Attachments as Held, useAttachments } from '../session/composer/use-attachments.ts';
import { CHOICES_KEY, type Choices, nameOf, pullRequestNumber } from './choices.ts';
import { FolderSummary } from './folder-summary.tsx';
import { startSessions } from './start-session.ts';
import { useChoices } from './use-choices.ts';

const Attachments = lazyPart(async () => (await import('../session/composer/attachments.tsx')).Attachments);
const Templates = lazyPart(async () => (await import('./templates.tsx')).Templates);
const ImportSession = lazyPart(async () => (await withWords(import('./import-session.tsx'))).ImportSession);
const WorktreeChoice = lazyPart(async () => (await withWords(import('./worktree-choice.tsx'))).WorktreeChoice, {
  isQuiet: true,
});
const WorktreeProgress = lazyPart(async () => (await withWords(import('./worktree-progress.tsx'))).WorktreeProgress);
const FolderPicker = lazyPart(async () => (await withWords(import('./folder-picker.tsx'))).FolderPicker);

interface StartNeeds {
  choices: Choices;
  text: string;
  setText: (text: string) => void;
  attachments: Held;
}

/** A start in worktrees takes time and may ask something: whoever leaves the page meanwhile finds it here again. */
const IN_WORKTREES = ['start-in-worktrees'];

function useStart({ choices, text, setText, attachments }: StartNeeds) {
  const { language, say } = useWords();
  const navigate = useNavigate();
  const client = useQueryClient();
  return useMutation({
    mutationKey: choices.worktree ? IN_WORKTREES : ['start'],
    mutationFn: async () => {
      const { folder } = choices;
      if (!folder) throw new Error('no folder was chosen');
      const message = { assignment: text, language, images: attachments.ready().images };
      return startSessions({ ...choices, folder }, message);
    },
    onSuccess: async ({ ids, failures }) => {
      const { worktree, ...kept } = choices;
      if (worktree) await refreshWorktrees(client);
      if (ids.length === 0) return;
      writeStored(CHOICES_KEY, kept);
      setText('');
      attachments.clear();
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await navigate(ids.length > 1 ? `/compare?sessions=${ids.join(',')}` : `/sessions/${ids[0]}`);
      // The others have started, and are open behind it.
      const names = failures.map(({ model }) => model || say('model.default')).join(', ');
      const title = say('worktree.notStarted', { count: failures.length, names });
      if (failures[0]) openOverlay({ kind: 'failure', title, error: failures[0].error });
    },
  });
}

function More({ choices, change }: { choices: Choices; change: (part: Partial<Choices>) => void }) {
  const { say } = useWords();
  const id = useId();
  return (
    <Fold className="more" head={<span>{say('new.more')}</span>}>
      {() => (
        <div className="form">
          <div className="field">
            <label className="field-label" htmlFor={id}>
              {say('new.test')}
            </label>
            <input
              id={id}
              className="input code-input"
              placeholder={say('new.test.placeholder')}
              value={choices.testCommand}
              onChange={(event) => change({ testCommand: event.currentTarget.value })}
            />
            <p className="muted small">{say('new.test.why')}</p>
          </div>
          <EffortSelect model={choices.model} value={choices.effort} choose={(effort) => change({ effort })} />
          <ToolTable value={choices.tools} choose={(tools) => change({ tools })} canClear />
        </div>
      )}
    </Fold>
  );
}

interface ChipsProps {
  choices: Choices;
  chooseFolder: () => void;
  chooseModel: () => void;
  change: (part: Partial<Choices>) => void;
}

function Chips(props: ChipsProps) {
  const { say } = useWords();
  const { folder, model, isPlanning = false } = props.choices;
  return (
    <>
      <button type="button" className="chip" data-missing={!folder || undefined} onClick={props.chooseFolder}>
        <Folder size={14} aria-hidden />
        {folder ? nameOf(folder) : say('new.folder.choose')}
      </button>
      <button
        type="button"
        className="chip"
        aria-haspopup="dialog"
        onClick={props.chooseModel}
        title={say('model.choose')}
      >
        <Cpu size={14} aria-hidden />
        <ModelName id={model} />
        <ChevronDown size={12} aria-hidden />
      </button>
      <PlanToggle isOn={isPlanning} change={(isOn) => props.change({ isPlanning: isOn })} />
    </>
  );
}

interface StartButtonProps {
  canStart: boolean;
  isStarting: boolean;
  start: () => void;
}

function StartButton({ canStart, isStarting, start }: StartButtonProps) {
  const { say } = useWords();
  return (
    <Button
      variant="filled"
      leftSection={<Play size={14} aria-hidden />}
      rightSection={<span className="key-hint">{isMac ? '⌘↵' : 'Ctrl ↵'}</span>}
      disabled={!canStart}
      loading={isStarting}
      onClick={start}
    >
      {say('act.start')}
    </Button>
  );
}

function useModelChoice(value: string, setChoices: Dispatch<SetStateAction<Choices>>): () => void {
  const open = useCallback(
    () => openOverlay({ kind: 'model', value, choose: (model) => setChoices((before) => ({ ...before, model })) }),
    [value, setChoices],
  );
  usePageShortcut('model', open);
  return open;
}

/** Where and how the agent works, and other ways to begin. */
function Options({ choices, change }: { choices: Choices; change: (part: Partial<Choices>) => void }) {
  const { folder } = choices;
  return (
    <>
      {folder && <FolderSummary folder={folder} />}
      {folder?.path && (
        <WorktreeChoice
          key={folder.path}
          path={folder.path}
          model={choices.model}
          value={choices.worktree}
          change={(worktree) => change({ worktree })}
        />
      )}
      <LevelCards value={choices.level} choose={(level) => change({ level })} />
      <More choices={choices} change={change} />
      <Templates choices={choices} />
      <ImportSession folder={folder} />
    </>
  );
}

const lacksPullRequest = ({ worktree }: Choices): boolean =>
  worktree?.pullRequest !== undefined && pullRequestNumber(worktree.pullRequest) === undefined;

function Form() {
  const { say } = useWords();
  const [choices, setChoices] = useChoices();
  const [text, setText] = useDraft('new');
  const [isPicking, setIsPicking] = useState(false);
  const box = useAutoGrow(text);
  usePageShortcut(
    'message',
    useCallback(() => box.current?.focus(), [box]),
  );
  const attachments = useAttachments('new', undefined);
  const start = useStart({ choices, text, setText, attachments });
  const change = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const isComplete = choices.folder !== undefined && text.trim() !== '' && !lacksPullRequest(choices);
  const isInWorktrees = useIsMutating({ mutationKey: IN_WORKTREES }) > 0;
  const isStarting = start.isPending || isInWorktrees;
  const canStart = isComplete && !isStarting && !attachments.isSending;
  const chooseModel = useModelChoice(choices.model, setChoices);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(isMac ? event.metaKey : event.ctrlKey)) return;
    event.preventDefault();
    if (canStart) start.mutate();
    else if (!choices.folder) setIsPicking(true);
  };
  return (
    <div className="new" onKeyDown={press}>
      <h1>{say('new.title')}</h1>
      <div className="composer composer-tall" data-dragging={attachments.isDragging || undefined}>
        {attachments.all.length > 0 && <Attachments attachments={attachments} />}
        <textarea
          ref={box}
          autoFocus
          rows={4}
          aria-label={say('new.assignment')}
          placeholder={say('new.placeholder')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onPaste={attachments.paste}
        />
        <div className="composer-foot">
          <div className="composer-choices">
            <AttachButton attach={attachments.add} accept="image/png,image/jpeg,image/webp" />
            <Chips
              choices={choices}
              chooseFolder={() => setIsPicking(true)}
              chooseModel={chooseModel}
              change={change}
            />
          </div>
          <StartButton canStart={canStart} isStarting={isStarting} start={() => start.mutate()} />
        </div>
      </div>
      {start.error && <Failure error={start.error} />}
      {isInWorktrees && <WorktreeProgress />}
      <Options choices={choices} change={change} />
      {isPicking && (
        <FolderPicker choose={(folder) => change({ folder, worktree: undefined })} close={() => setIsPicking(false)} />
      )}
    </div>
  );
}

const isTrue = (value: unknown): value is true => value === true;

/** Starts a session; a first-time user is sent to setup. */
export function NewSessionPage() {
  const setup = useQuery(setupQuery);
  const { search } = useLocation();
  const isNew = setup.data && !setup.data.isIntroOff && !setup.data.provider.isReady;
  if (isNew && !readStored('setup-left', isTrue)) return <Navigate to={{ pathname: '/setup', search }} replace />;
  return (
    <main className="stage stage-page">
      <Form />
    </main>
  );
}
