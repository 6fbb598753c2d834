import { useId } from 'react';
import { Fold } from '../../parts/box.tsx';
import { Switch } from '../../parts/switch.tsx';
import type { WorktreeBases } from '../../wire/worktrees.ts';
import { useWords } from '../../words/words.ts';
import type { WorktreeChoice } from './choices.ts';

interface ExtrasProps {
  value: WorktreeChoice;
  change: (value: WorktreeChoice) => void;
  bases: WorktreeBases;
}

/** Which ignored files a worktree gets, and whether the set-up script of the project runs in it. */
export function WorktreeExtras(props: ExtrasProps) {
  return (
    <>
      <LocalFiles {...props} />
      <SetupSwitch {...props} />
    </>
  );
}

function LocalFiles({ value, change, bases }: ExtrasProps) {
  const { say } = useWords();
  const id = useId();
  if (bases.localFiles.length === 0) return null;
  const choose = (path: string, isOn: boolean) =>
    change({ ...value, localFiles: [...value.localFiles.filter((one) => one !== path), ...(isOn ? [path] : [])] });
  return (
    <div className="field" role="group" aria-labelledby={id}>
      <span className="field-label" id={id}>
        {say('worktree.local')}
      </span>
      <p className="muted small">{say('worktree.local.why')}</p>
      {bases.localFiles.map((path) => (
        <Switch key={path} label={path} isOn={value.localFiles.includes(path)} change={(isOn) => choose(path, isOn)} />
      ))}
    </div>
  );
}

function SetupSwitch({ value, change, bases: { setup: script } }: ExtrasProps) {
  const { say } = useWords();
  if (!script) return null;
  const isOn = value.setup === undefined ? script.isTrusted : value.setup !== null;
  return (
    <div className="field">
      <Switch
        label={say('worktree.setup.use', { name: script.path })}
        why={say(script.isTrusted ? 'worktree.setup.why' : 'worktree.setup.why.new')}
        isOn={isOn}
        change={(wanted) => change({ ...value, setup: wanted ? script.fingerprint : null })}
      />
      <Fold head={<span>{say('worktree.setup.show')}</span>}>
        {() => (
          <pre className="worktree-script" tabIndex={0} aria-label={script.path}>
            {script.text}
          </pre>
        )}
      </Fold>
    </div>
  );
}
