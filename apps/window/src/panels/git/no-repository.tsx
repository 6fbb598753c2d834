import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { FolderGit2 } from 'lucide-react';
import { Empty, Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

/** Why nothing is shown: no git, no repository, or an error. */
export function NoRepository({ panel, error, retry }: { panel: GitPanelState; error: unknown; retry: () => void }) {
  const { say } = useWords();
  const code = error instanceof ApiError ? error.code : '';
  const make = async (confirm: boolean): Promise<string | undefined> => {
    await api.post('/sessions/{sessionId}/git/init', { path: panel.path, body: confirm ? { confirm } : {} });
    return say('git.made');
  };
  const start = () =>
    void panel.run(async () => {
      try {
        return await make(false);
      } catch (cause) {
        if (!(cause instanceof ApiError) || cause.code !== 'GIT_INIT_NEEDS_CONFIRM') throw cause;
        panel.ask({
          title: say('git.make.ask'),
          text: say('git.make.why'),
          act: say('git.make'),
          run: () => make(true),
        });
        return undefined;
      }
    });
  if (code === 'GIT_STORE_UNAVAILABLE') {
    return (
      <Empty
        icon={<FolderGit2 size={20} />}
        title={say('git.missing')}
        action={<Button onClick={retry}>{say('act.retry')}</Button>}
      >
        {say('git.missing.why')}
      </Empty>
    );
  }
  if (code !== 'GIT_NOT_A_REPOSITORY') return <Failure error={error} retry={retry} />;
  return (
    <>
      {panel.notice?.error !== undefined && <Failure error={panel.notice.error} />}
      <Empty
        icon={<FolderGit2 size={20} />}
        title={say('git.none')}
        action={
          <Button variant="filled" loading={panel.isBusy} onClick={start}>
            {say('git.make')}
          </Button>
        }
      >
        {say('git.none.why')}
      </Empty>
    </>
  );
}
