import { Button } from '@mantine/core';
import { useState } from 'react';
import { chooseGitHook, type GitHook, type GitHookChoice } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

const STATES = { sandboxed: 'git.hook.sandboxed', outside: 'git.hook.outside' } as const;

/** A hook with all that its trust is bound to. */
function Hook({ panel, hook }: { panel: GitPanelState; hook: GitHook }) {
  const { say } = useWords();
  const [hasTimeLimit, setHasTimeLimit] = useState(hook.hasTimeLimit);
  const choose = (runs: GitHookChoice['runs']) => () =>
    void panel.run(async () => {
      await chooseGitHook(panel.sessionId, hook, { runs, hasTimeLimit });
      return undefined;
    });
  return (
    <section className="git-program" aria-label={hook.name}>
      <p>
        <strong>{hook.name}</strong>: {say(hook.runs === null ? 'git.hook.untrusted' : STATES[hook.runs])}
      </p>
      {hook.files.map(({ path, text, isCut }) => (
        <figure key={path}>
          <figcaption>
            <code>{path}</code>
          </figcaption>
          <pre className="git-hook-text" tabIndex={0} aria-label={path}>
            {isCut ? `${text}\n…` : text}
          </pre>
        </figure>
      ))}
      <label className="git-check">
        <input
          type="checkbox"
          checked={hasTimeLimit}
          onChange={(event) => setHasTimeLimit(event.currentTarget.checked)}
        />
        {say('git.hook.limit')}
      </label>
      <p>{say('git.hook.outside.warning')}</p>
      <div className="git-hook-acts">
        <Button disabled={panel.isBusy} onClick={choose('sandboxed')}>
          {say('git.hook.trust')}
        </Button>
        <Button disabled={panel.isBusy} onClick={choose('outside')}>
          {say('git.hook.outsideAlways')}
        </Button>
        {hook.runs !== null && (
          <Button disabled={panel.isBusy} onClick={choose('never')}>
            {say('git.hook.withdraw')}
          </Button>
        )}
      </div>
    </section>
  );
}

/** The hooks of the repository, folded: they hold nothing up while they are not trusted. */
export function RepositoryHooks({ panel, hooks }: { panel: GitPanelState; hooks: readonly GitHook[] }) {
  const { say } = useWords();
  if (hooks.length === 0) return null;
  const untrusted = hooks.filter(({ runs }) => runs === null).map(({ name }) => name);
  return (
    <details className="git-hooks small">
      <summary>
        {untrusted.length === 0 ? say('git.hooks') : say('git.hooks.untrusted', { names: untrusted.join(', ') })}
      </summary>
      {hooks.map((hook) => (
        <Hook key={`${hook.name} ${hook.fingerprint}`} panel={panel} hook={hook} />
      ))}
    </details>
  );
}
