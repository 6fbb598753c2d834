import '../../styles/tool-calls.css';
import '../../styles/worktrees.css';
import { Button } from '@mantine/core';
import { Enforcement, Output } from '../../parts/output.tsx';
import { useWords } from '../../words/words.ts';
import { type Preparation, usePreparation } from './worktree-preparation.ts';

/** What happens between “Start” and the session in a worktree: its creation, and its set-up script. */
export function WorktreeProgress() {
  const { say } = useWords();
  const preparation = usePreparation();
  if (preparation) return <Setup {...preparation} />;
  return (
    <p className="muted small" role="status">
      {say('worktree.creating')}
    </p>
  );
}

function Setup({ worktree, setup, choose, stop }: Preparation) {
  const { say } = useWords();
  const { script, run } = setup;
  const name = script?.path ?? '';
  const isNew = run === null;
  return (
    <section className="worktree-setup" aria-label={say('worktree.setup.of', { name: worktree.name })}>
      <p role={choose ? 'alert' : 'status'}>{say(stateWord(setup), { name, code: run?.code ?? '' })}</p>
      {isNew ? (
        <Output text={script?.text ?? ''} label={name} />
      ) : (
        run.output !== '' && <Output text={run.output} label={say('worktree.setup.output')} isEnd />
      )}
      {run?.sandbox === 'none' && <Enforcement value="none" />}
      <div className="worktree-setup-acts">
        {choose ? (
          <>
            <Button variant="filled" onClick={() => choose(isNew ? 'run' : 'start')}>
              {say(isNew ? 'worktree.setup.trust' : 'worktree.setup.start')}
            </Button>
            <Button onClick={() => choose(isNew ? 'start' : 'run')}>
              {say(isNew ? 'worktree.setup.skip' : 'worktree.setup.again')}
            </Button>
            <Button onClick={() => choose('give-up')}>{say('worktree.setup.giveUp')}</Button>
          </>
        ) : (
          <Button onClick={stop}>{say('worktree.setup.stop')}</Button>
        )}
      </div>
    </section>
  );
}

function stateWord({ run }: Preparation['setup']) {
  if (run === null) return 'worktree.setup.changed';
  if (run.state === 'running') return 'worktree.setup.running';
  if (run.state === 'stopped') return 'worktree.setup.stopped';
  return run.code === null ? 'worktree.setup.broken' : 'worktree.setup.failed';
}
