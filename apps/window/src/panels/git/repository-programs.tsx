import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type GitFilter, gitProgramsQuery, trustGitFilter } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { RepositoryHooks } from './repository-hooks.tsx';
import type { GitPanelState } from './use-git-panel.ts';

const MAX_NAMES = 20;

function UntrustedFilter({ panel, filter }: { panel: GitPanelState; filter: GitFilter }) {
  const { say } = useWords();
  const trust = async () => {
    await trustGitFilter(panel.sessionId, filter);
    return undefined;
  };
  return (
    <section className="git-program small" aria-label={say('git.filter', { name: filter.name })}>
      <p className="warning">{say('git.filter', { name: filter.name })}</p>
      <p>{say('git.filter.why')}</p>
      <dl>
        {(['clean', 'smudge', 'process'] as const).map(
          (name) =>
            filter[name] !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <code>{filter[name]}</code>
                </dd>
              </div>
            ),
        )}
      </dl>
      <Button disabled={panel.isBusy} onClick={() => void panel.run(trust)}>
        {say('git.filter.trust')}
      </Button>
    </section>
  );
}

/** Programs of the repository: filters that are not trusted, hooks, and what is left out meanwhile. */
export function RepositoryPrograms({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const programs = useQuery(gitProgramsQuery(panel.sessionId)).data;
  if (!programs) return null;
  const { filters, hooks, notCompared } = programs;
  const shown = notCompared.slice(0, MAX_NAMES).join(', ');
  return (
    <>
      {filters
        .filter(({ isTrusted }) => !isTrusted)
        .map((filter) => (
          <UntrustedFilter key={filter.name} panel={panel} filter={filter} />
        ))}
      <RepositoryHooks panel={panel} hooks={hooks} />
      {notCompared.length > 0 && (
        <p className="git-note small">
          {say('git.notCompared', { names: notCompared.length > MAX_NAMES ? `${shown} …` : shown })}
        </p>
      )}
    </>
  );
}
