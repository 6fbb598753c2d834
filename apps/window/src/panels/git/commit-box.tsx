import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Sparkles, Square } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type HooksOf, withHooks } from '../../parts/hooks-note.ts';
import { Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { type GitState, gitHistoryQuery, suggestMessage } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import { type GroupedFile, pathsOf, splitPaths } from './groups.ts';
import { askingForMarkers } from './markers.ts';
import type { GitPanelState } from './use-git-panel.ts';

/** Most commit lists truncate longer subjects. */
const SUBJECT_LENGTH = 72;
/** From this length on it is shown. */
const NOTED_LENGTH = 50;
/** Kept until the page is closed, so that a draft survives navigation. */
const drafts = new Map<string, string>();

/** Asks the session's model; a second click cancels it. */
function useSuggestion(sessionId: string, take: (message: string) => void) {
  const { language } = useWords();
  const asked = useRef<AbortController>(undefined);
  const [state, setState] = useState<{ isAsked: boolean; error?: unknown }>({ isAsked: false });
  const stop = () => asked.current?.abort();
  const ask = async (isDraft: string) => {
    const control = new AbortController();
    asked.current = control;
    setState({ isAsked: true });
    try {
      const body = { language, ...(isDraft.trim() ? { isDraft: isDraft.slice(0, 4_000) } : {}) };
      take(await suggestMessage(sessionId, body, control.signal));
      setState({ isAsked: false });
    } catch (error) {
      setState(control.signal.aborted ? { isAsked: false } : { isAsked: false, error });
    }
  };
  return { ...state, ask, stop };
}

function useCommit(panel: GitPanelState, state: GitState, done: () => void) {
  const { say } = useWords();
  const history = useQuery(gitHistoryQuery(panel.sessionId));
  const { path } = panel;
  const committed = ({ commit, ...hooks }: HooksOf & { commit: string }) => {
    done();
    return withHooks(say, say('git.committed', { name: commit.slice(0, 7) }), hooks);
  };
  const run = (act: () => Promise<string | undefined>) => panel.run(askingForMarkers(panel, say, act));
  /** Only what the list on screen shows as staged is committed: later staging by others is reported instead. */
  const { fingerprint } = state;
  return {
    history: history.data,
    commit: (message: string, files: readonly GroupedFile[]) =>
      run(
        files.length === 0
          ? async () =>
              committed(
                await api.post('/sessions/{sessionId}/git/commit-staged', { path, body: { message, fingerprint } }),
              )
          : async () => {
              const [paths = [], more] = splitPaths(pathsOf(files));
              if (more) {
                // One commit for all: files above the limit of one request are staged in parts.
                for (const piece of splitPaths(pathsOf(files)))
                  await api.post('/sessions/{sessionId}/git/stage', { path, body: { paths: piece } });
                return say('git.stagedInstead');
              }
              return committed(await api.post('/sessions/{sessionId}/git/commit', { path, body: { paths, message } }));
            },
      ),
    amend: (message: string, commit: string) =>
      run(async () =>
        committed(await api.post('/sessions/{sessionId}/git/amend', { path, body: { message, commit, fingerprint } })),
      ),
  };
}

/** A click during another action is handled after it, with the updated list. */
function useWhenIdle(isBusy: boolean, act: () => void): () => void {
  const [isAsked, setIsAsked] = useState(false);
  useEffect(() => {
    if (!isAsked || isBusy) return;
    setIsAsked(false);
    act();
  }, [isAsked, isBusy, act]);
  return () => (isBusy ? setIsAsked(true) : act());
}

interface SuggestProps {
  suggestion: ReturnType<typeof useSuggestion>;
  isDisabled: boolean;
  ask: () => void;
}

function Suggest({ suggestion, isDisabled, ask }: SuggestProps) {
  const { say } = useWords();
  if (suggestion.isAsked) {
    return (
      <button type="button" className="chip" onClick={suggestion.stop}>
        <Square size={12} aria-hidden /> {say('git.suggest.stop')}
      </button>
    );
  }
  return (
    <button type="button" className="chip" disabled={isDisabled} onClick={ask}>
      <Sparkles size={12} aria-hidden /> {say('git.suggest')}
    </button>
  );
}

function SubjectLength({ length }: { length: number }) {
  const { say } = useWords();
  if (length <= NOTED_LENGTH) return null;
  const isLong = length > SUBJECT_LENGTH;
  return (
    <span className={`tabular small ${isLong ? 'warning' : 'muted'}`}>
      {say(isLong ? 'git.subject.long' : 'git.subject', { count: length })}
    </span>
  );
}

/** The message and the commit button: staged changes, or all if none is staged; Mod Enter commits. */
export function CommitBox({
  panel,
  state,
  files,
}: {
  panel: GitPanelState;
  state: GitState;
  files: readonly GroupedFile[];
}) {
  const { say } = useWords();
  const [message, setMessage] = useState(drafts.get(panel.sessionId) ?? '');
  const [isAmending, setIsAmending] = useState(false);
  const write = (text: string) => {
    drafts.set(panel.sessionId, text);
    setMessage(text);
  };
  const suggestion = useSuggestion(panel.sessionId, write);
  const done = () => {
    write('');
    setIsAmending(false);
  };
  const { history, commit, amend } = useCommit(panel, state, done);
  const isStaged = state.summary.isStaged > 0;
  const head = history?.head;
  const last = history?.commits[0];
  const canCommit = message.trim() !== '' && (isAmending ? Boolean(head) : isStaged || files.length > 0);
  const submit = useWhenIdle(panel.isBusy, () => {
    if (!canCommit) return;
    void (isAmending && head ? amend(message, head) : commit(message, isStaged ? [] : files));
  });
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    submit();
  };
  const label = labelOf({ isAmending, isStaged, hasFiles: files.length > 0 });
  return (
    <section className="git-commit" aria-label={say('git.commit.box')}>
      {state.stagedOutside > 0 && <p className="git-note">{say('git.outside', { count: state.stagedOutside })}</p>}
      <textarea
        aria-label={say('git.message')}
        placeholder={say('git.message')}
        rows={3}
        value={message}
        onChange={(event) => write(event.currentTarget.value)}
        onKeyDown={press}
      />
      <div className="git-commit-foot">
        <Suggest
          suggestion={suggestion}
          isDisabled={!isStaged && files.length === 0}
          ask={() => void suggestion.ask(message)}
        />
        {last && !last.isPushed && (
          <label className="git-check">
            <input
              type="checkbox"
              checked={isAmending}
              onChange={(event) => {
                setIsAmending(event.currentTarget.checked);
                if (event.currentTarget.checked && message.trim() === '') write(history?.lastMessage ?? '');
              }}
            />
            {say('git.amend')}
          </label>
        )}
        <SubjectLength length={message.split('\n')[0]?.length ?? 0} />
        <Button variant="filled" disabled={!canCommit} loading={panel.isBusy} onClick={submit}>
          {say(label, { count: files.length })}
        </Button>
      </div>
      {suggestion.error !== undefined && <Failure error={suggestion.error} />}
    </section>
  );
}

/** The cause was a change in the meantime: the data was reloaded. */
export const isStale = (error: unknown): boolean =>
  error instanceof ApiError && ['GIT_STAGED_CHANGED', 'GIT_HEAD_CHANGED', 'GIT_DIFF_CHANGED'].includes(error.code);

function labelOf({ isAmending, isStaged, hasFiles }: { isAmending: boolean; isStaged: boolean; hasFiles: boolean }) {
  if (isAmending) return 'git.amend.act';
  if (isStaged) return 'git.commit';
  return hasFiles ? 'git.commitAll' : 'git.commit.box';
}
