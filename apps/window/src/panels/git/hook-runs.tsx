import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  chooseGitHook,
  type GitHookChoice,
  type GitHookRun,
  gitHookRunsQuery,
  gitProgramsQuery,
  stopGitHook,
} from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

const LOOK_MS = 700;
const ENDED: Partial<Record<GitHookRun['state'], 'git.hook.timed-out' | 'git.hook.stopped'>> = {
  'timed-out': 'git.hook.timed-out',
  stopped: 'git.hook.stopped',
};

function Output({ run }: { run: GitHookRun }) {
  const { say } = useWords();
  if (run.output === '') return null;
  return (
    <pre className="git-hook-text" tabIndex={0} aria-label={say('git.hook.output', { name: run.hook })}>
      {run.isCut ? `…\n${run.output}` : run.output}
    </pre>
  );
}

function Refused({ run }: { run: GitHookRun }) {
  const { say } = useWords();
  if (run.isWithoutSandbox) return <p>{say('git.hook.withoutSandbox')}</p>;
  if (run.refused.length === 0) return null;
  return (
    <>
      <p>{say('git.hook.refused')}</p>
      <ul>
        {run.refused.map(({ subject, rule }) => (
          <li key={subject}>
            <code>{subject}</code> {rule !== null && say('git.hook.rule', { rule })}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What can be done about a hook that failed: only for the content that the list shows. */
function Failed({ panel, run }: { panel: GitPanelState; run: GitHookRun }) {
  const { say } = useWords();
  const hook = useQuery(gitProgramsQuery(panel.sessionId)).data?.hooks.find(({ name }) => name === run.hook);
  const choose = (runs: GitHookChoice['runs'], text: string) => () =>
    void panel.run(async () => {
      if (hook) await chooseGitHook(panel.sessionId, hook, { runs, hasTimeLimit: hook.hasTimeLimit });
      return text;
    });
  const title = say(ENDED[run.state] ?? 'git.hook.failed', { name: run.hook });
  const again = say('git.hook.again');
  return (
    <section className="git-program small" aria-label={title}>
      <p className="warning">{title}</p>
      <Output run={run} />
      <Refused run={run} />
      {hook && (
        <>
          {run.runs === 'sandboxed' && <p>{say('git.hook.outside.warning')}</p>}
          <div className="git-hook-acts">
            {run.runs === 'sandboxed' && (
              <>
                <Button disabled={panel.isBusy} onClick={choose('outside-once', again)}>
                  {say('git.hook.outsideOnce')}
                </Button>
                <Button disabled={panel.isBusy} onClick={choose('outside', again)}>
                  {say('git.hook.outsideAlways')}
                </Button>
              </>
            )}
            <Button disabled={panel.isBusy} onClick={choose('skip-once', again)}>
              {say('git.hook.skipOnce')}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}

/** The running hook with its output, or the hooks of the last operation that failed. */
export function HookRuns({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const { data } = useQuery({
    ...gitHookRunsQuery(panel.sessionId),
    refetchInterval: ({ state }) =>
      panel.isBusy || state.data?.hookRuns.some((run) => run.state === 'running') ? LOOK_MS : false,
  });
  const runs = data?.hookRuns ?? [];
  const running = runs.find(({ state }) => state === 'running');
  if (running)
    return (
      <section className="git-program small" aria-label={say('git.hook.running', { name: running.hook })}>
        <p>{say('git.hook.running', { name: running.hook })}</p>
        <Output run={running} />
        <Button onClick={() => void stopGitHook(panel.sessionId)}>{say('git.hook.stop')}</Button>
      </section>
    );
  return runs
    .filter(({ state }) => state !== 'succeeded')
    .map((run) => <Failed key={run.hook} panel={panel} run={run} />);
}
