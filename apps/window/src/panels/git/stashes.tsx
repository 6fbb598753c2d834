import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Archive, ArchiveRestore, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { CleanText } from '../../parts/clean-text.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { type GitStash, gitStashesQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

function NewStash({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const [message, setName] = useState('');
  const [hasNew, setWithNew] = useState(true);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const put = async () => {
      await api.post('/sessions/{sessionId}/git/stash', {
        path: panel.path,
        body: { hasNew, ...(message.trim() ? { message: message.trim() } : {}) },
      });
      return say('git.stash.put');
    };
    void panel.run(put).then((isDone) => isDone && setName(''));
  };
  return (
    <form className="git-form" onSubmit={submit}>
      <input
        className="input"
        aria-label={say('git.stash.name')}
        placeholder={say('git.stash.name')}
        maxLength={200}
        value={message}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {/** Enabled during another action: the request is queued after it. */}
      <Button type="submit">{say('git.stash.act')}</Button>
      <label className="git-check">
        <input type="checkbox" checked={hasNew} onChange={(event) => setWithNew(event.currentTarget.checked)} />
        {say('git.stash.withNew')}
      </label>
    </form>
  );
}

/** The stashes, latest first. */
export function Stashes({ panel }: { panel: GitPanelState }) {
  const { say, ago } = useWords();
  const query = useQuery(gitStashesQuery(panel.sessionId));
  const pop = ({ index, commit }: GitStash) =>
    void panel.run(async () => {
      await api.post('/sessions/{sessionId}/git/stash-pop', { path: panel.path, body: { index, commit } });
      return say('git.stash.back');
    });
  const drop = ({ index, commit, message }: GitStash) =>
    panel.ask({
      title: say('git.stash.drop.ask', { name: message }),
      text: say('git.stash.drop.why'),
      act: say('act.delete'),
      run: async () => {
        await api.post('/sessions/{sessionId}/git/stash-drop', { path: panel.path, body: { index, commit } });
        return undefined;
      },
    });
  return (
    <>
      <NewStash panel={panel} />
      <Answer query={query}>
        {({ stashes }) =>
          stashes.length === 0 ? (
            <Empty icon={<Archive size={20} />} title={say('git.stash.none')}>
              {say('git.stash.none.why')}
            </Empty>
          ) : (
            <ul className="git-rows">
              {stashes.map((one) => (
                <li key={one.commit} className="git-row">
                  <span className="git-row-open">
                    <span className="git-row-name">
                      <CleanText text={one.message} />
                    </span>
                    <span className="muted small">{[one.branch, ago(one.data)].filter(Boolean).join(' · ')}</span>
                  </span>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`${say('git.stash.pop')}: ${one.message}`}
                    title={say('git.stash.pop')}
                    onClick={() => pop(one)}
                  >
                    <ArchiveRestore size={14} aria-hidden />
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={`${say('act.delete')}: ${one.message}`}
                    title={say('act.delete')}
                    onClick={() => drop(one)}
                  >
                    <Trash2 size={14} aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Answer>
    </>
  );
}
