import '../../styles/worktrees.css';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId } from 'react';
import { Choice } from '../../parts/choice.tsx';
import { ModelName } from '../../parts/model-name.tsx';
import { Answer } from '../../parts/states.tsx';
import { Switch } from '../../parts/switch.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import { portraitQuery } from '../../wire/folders.ts';
import { type WorktreeBases, worktreeBasesQuery } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';
import { NO_WORKTREE, pullRequestNumber, type WorktreeChoice as Wanted } from './choices.ts';
import { WorktreeExtras } from './worktree-extras.tsx';

const MAX_TRIES = 5;

interface FieldsProps {
  value: Wanted;
  change: (value: Wanted) => void;
  /** The model of the session. */
  model: string;
}

/** No branch can have this name. */
const PULL_REQUEST = ' pull-request';

function NameField({ value, change }: Omit<FieldsProps, 'model'>) {
  const { say } = useWords();
  const id = useId();
  const { name, pullRequest } = value;
  if (pullRequest === undefined)
    return (
      <TextField
        id={id}
        label={say('worktree.name')}
        placeholder={say('worktree.name.placeholder')}
        value={name}
        change={(next) => change({ ...value, name: next })}
      />
    );
  const isWrong = pullRequest.trim() !== '' && pullRequestNumber(pullRequest) === undefined;
  return (
    <TextField
      id={id}
      label={say('worktree.pullRequest')}
      placeholder="#123"
      help={say('worktree.pullRequest.why')}
      problem={isWrong ? say('worktree.pullRequest.wrong') : undefined}
      value={pullRequest}
      change={(next) => change({ ...value, pullRequest: next })}
    />
  );
}

function BaseSelect({ value, change, bases }: Omit<FieldsProps, 'model'> & { bases: WorktreeBases }) {
  const { say } = useWords();
  const id = useId();
  const group = (label: string, names: readonly string[]) =>
    names.length > 0 && (
      <optgroup label={label}>
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </optgroup>
    );
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {say('worktree.base')}
      </label>
      <select
        id={id}
        className="input"
        value={value.pullRequest === undefined ? value.base : PULL_REQUEST}
        onChange={({ currentTarget: { value: chosen } }) =>
          change(
            chosen === PULL_REQUEST
              ? { ...value, pullRequest: value.pullRequest ?? '' }
              : { ...value, base: chosen, pullRequest: undefined },
          )
        }
      >
        <option value="">{say('worktree.base.current', { name: bases.current ?? 'HEAD' })}</option>
        <option value={PULL_REQUEST}>{say('worktree.base.pullRequest')}</option>
        {group(
          say('worktree.base.local'),
          bases.local.filter((name) => name !== bases.current),
        )}
        {group(say('worktree.base.remote'), bases.remotes)}
      </select>
    </div>
  );
}

/** The same task several times, or by several models: each in a worktree of its own. */
function Tries({ value, change, model }: FieldsProps) {
  const { say, number } = useWords();
  const id = useId();
  const add = () =>
    openOverlay({
      kind: 'model',
      value: model,
      choose: (chosen) =>
        change({ ...value, models: [...new Set([...(value.models.length > 0 ? value.models : [model]), chosen])] }),
    });
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {say('worktree.tries')}
      </label>
      <div className="worktree-tries">
        <select
          id={id}
          className="input tabular"
          value={value.tries}
          onChange={(event) => change({ ...value, tries: Number(event.currentTarget.value) })}
        >
          {Array.from({ length: MAX_TRIES }, (_, at) => (
            <option key={at} value={at + 1}>
              {number(at + 1)}
            </option>
          ))}
        </select>
        {value.models.map((one) => (
          <span key={one} className="chip">
            <ModelName id={one} />
            <button
              type="button"
              className="icon-button"
              aria-label={say('worktree.models.remove', { name: one })}
              onClick={() => change({ ...value, models: value.models.filter((other) => other !== one) })}
            >
              <X size={12} aria-hidden />
            </button>
          </span>
        ))}
        <button
          type="button"
          className="text-button"
          onClick={add}
          disabled={model === ''}
          aria-describedby={model === '' ? `${id}-why` : undefined}
        >
          {say('worktree.models.add')}
        </button>
        {model === '' && (
          <span className="muted small" id={`${id}-why`}>
            {say('worktree.models.needsOne')}
          </span>
        )}
      </div>
      <p className="muted small">{say('worktree.tries.why')}</p>
    </div>
  );
}

function Fields(props: FieldsProps & { path: string }) {
  const { say } = useWords();
  const { value, change, path } = props;
  return (
    <Answer query={useQuery(worktreeBasesQuery(path))} lines={3}>
      {(bases) =>
        bases.hasCommits ? (
          <div className="worktree-fields">
            <BaseSelect value={value} change={change} bases={bases} />
            <NameField value={value} change={change} />
            <Tries {...props} />
            {bases.changedFiles > 0 && (
              <Switch
                label={say('worktree.carry', { count: bases.changedFiles })}
                why={say('worktree.carry.why')}
                isOn={value.carriesChanges}
                change={(carriesChanges) => change({ ...value, carriesChanges })}
              />
            )}
            <WorktreeExtras value={value} change={change} bases={bases} />
          </div>
        ) : (
          <p className="small worktree-none" role="alert">
            {say('worktree.noCommit')}
          </p>
        )
      }
    </Answer>
  );
}

interface WorktreeChoiceProps {
  path: string;
  model: string;
  value: Wanted | undefined;
  change: (value: Wanted | undefined) => void;
}

/** Where the session works: in the folder, or in a worktree of its repository. Nothing outside a repository. */
export function WorktreeChoice({ path, model, value, change }: WorktreeChoiceProps) {
  const { say } = useWords();
  const { data: portrait } = useQuery(portraitQuery(path));
  if (!portrait?.git) return null;
  return (
    <section className="worktree-choice" aria-label={say('worktree.where')}>
      <Choice
        label={say('worktree.where')}
        values={['folder', 'worktree'] as const}
        value={value ? 'worktree' : 'folder'}
        name={(one) => say(`worktree.where.${one}`)}
        choose={(one) => change(one === 'folder' ? undefined : (value ?? NO_WORKTREE))}
      />
      {value && <Fields path={path} model={model} value={value} change={change} />}
    </section>
  );
}
