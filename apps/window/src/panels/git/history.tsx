import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { History as HistoryIcon, Undo2 } from 'lucide-react';
import { CleanText } from '../../parts/clean-text.tsx';
import { CopyButton } from '../../parts/ref.tsx';
import { Answer, Empty } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { type GitCommit, gitChangeDiffQuery, gitChangesQuery, gitHistoryPagesQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { PatchPane } from './diff-pane.tsx';
import type { GitPanelState } from './use-git-panel.ts';

/** Commits, newest first, by page; the last one can be undone while it is unpushed. */
export function History({ panel }: { panel: GitPanelState }) {
  const { say, ago } = useWords();
  const query = useInfiniteQuery(gitHistoryPagesQuery(panel.sessionId));
  const undo = (commit: string) =>
    panel.ask({
      title: say('git.undo.ask'),
      text: say('git.undo.why'),
      act: say('git.undo'),
      run: async () => {
        await api.post('/sessions/{sessionId}/git/undo-commit', { path: panel.path, body: { commit } });
        return say('git.undone');
      },
    });
  return (
    <Answer query={query}>
      {({ pages }) => {
        const commits = pages.flatMap(({ commits }) => commits);
        return commits.length === 0 ? (
          <Empty icon={<HistoryIcon size={20} />} title={say('git.history.none')} />
        ) : (
          <ul className="git-rows">
            {commits.map((one, at) => (
              <li key={one.commit} className="git-row" data-shown={panel.place.commit === one.commit || undefined}>
                <button
                  type="button"
                  className="git-row-open"
                  aria-current={panel.place.commit === one.commit || undefined}
                  onClick={() => panel.go({ view: 'history', commit: one.commit })}
                >
                  <span className="git-row-name">
                    <CleanText text={one.subject} />
                  </span>
                  <span className="muted small">
                    <CleanText text={one.author} /> · {ago(one.data)} · <code>{one.short}</code>
                    {one.isPushed ? '' : ` · ${say('git.notPushed')}`}
                  </span>
                </button>
                {at === 0 && !one.isPushed && one.parentCount === 1 && (
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={say('git.undo')}
                    title={say('git.undo')}
                    onClick={() => undo(one.commit)}
                  >
                    <Undo2 size={14} aria-hidden />
                  </button>
                )}
              </li>
            ))}
            {query.hasNextPage && (
              <li className="git-note">
                <Button onClick={() => void query.fetchNextPage()} loading={query.isFetchingNextPage}>
                  {say('git.history.more')}
                </Button>
              </li>
            )}
          </ul>
        );
      }}
    </Answer>
  );
}

function CommitFiles({ panel, commit }: { panel: GitPanelState; commit: string }) {
  const { say } = useWords();
  const query = useQuery(gitChangesQuery(panel.sessionId, commit));
  return (
    <Answer query={query}>
      {({ files, hasMore, outside }) => (
        <ul className="git-rows">
          {files.map(({ state, before, path }) => (
            <li key={path} className="git-file" data-shown={panel.place.file === path || undefined}>
              <button
                type="button"
                className="git-file-open"
                title={before ? `${before} → ${path}` : path}
                onClick={() => panel.go({ view: 'history', commit, file: path })}
              >
                <span className="git-letter" data-letter={state} title={say(`git.letter.${state}`)}>
                  <span aria-hidden>{state}</span>
                  <span className="unseen">{say(`git.letter.${state}`)}</span>
                </span>
                <span className="path">
                  <CleanText text={path} />
                </span>
              </button>
            </li>
          ))}
          {hasMore && <li className="muted small git-note">{say('git.commit.cut')}</li>}
          {outside > 0 && <li className="muted small git-note">{say('git.commit.outside', { count: outside })}</li>}
        </ul>
      )}
    </Answer>
  );
}

function CommitDiff({ panel, commit, path }: { panel: GitPanelState; commit: string; path: string }) {
  const files = useQuery(gitChangesQuery(panel.sessionId, commit)).data?.files;
  const before = files?.find((file) => file.path === path)?.before ?? undefined;
  const query = useQuery({
    ...gitChangeDiffQuery(panel.sessionId, { to: commit, path, ...(before ? { before } : {}) }),
    enabled: files !== undefined,
  });
  return (
    <Answer query={query} lines={8}>
      {(diff) => <PatchPane panel={panel} path={path} diff={diff} back={() => panel.go({ view: 'history', commit })} />}
    </Answer>
  );
}

function CommitHead({ commit }: { commit: GitCommit }) {
  const { say, date } = useWords();
  return (
    <header className="git-commit-head">
      <h2>
        <CleanText text={commit.subject} />
      </h2>
      <p className="muted small">
        <CleanText text={commit.author} /> · {date(commit.data)} · <code>{commit.short}</code>{' '}
        <CopyButton value={commit.commit} label={say('git.copyHash')} />
      </p>
    </header>
  );
}

/** The changes of one commit, or of one of its files. */
export function CommitPane({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const { commit, file } = panel.place;
  const history = useInfiniteQuery(gitHistoryPagesQuery(panel.sessionId));
  const one = history.data?.pages.flatMap((page) => page.commits).find((candidate) => candidate.commit === commit);
  if (commit === undefined) return <Empty icon={<HistoryIcon size={20} />} title={say('git.history.choose')} />;
  if (file !== undefined) return <CommitDiff panel={panel} commit={commit} path={file} />;
  return (
    <div className="git-scroll">
      {one && <CommitHead commit={one} />}
      <CommitFiles panel={panel} commit={commit} />
      <div className="only-slim">
        <Button onClick={() => panel.go({ view: 'history' })}>{say('act.back')}</Button>
      </div>
    </div>
  );
}
