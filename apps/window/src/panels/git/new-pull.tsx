import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowUp } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { createPull, type PullDraft, pullDraftQuery, refreshPulls } from '../../wire/github.ts';
import { useWords } from '../../words/words.ts';
import { useBranch } from './pulls.tsx';
import type { GitPanelState } from './use-git-panel.ts';

/** The user's input; absent fields use the draft. */
interface Written {
  title?: string;
  text?: string;
  base?: string;
  isDraft?: boolean;
}

/** Kept until the page is closed, per branch, so that a draft survives navigation. */
const written = new Map<string, Written>();

function useWritten(key: string): [Written, (change: Written | undefined) => void] {
  const [, setCount] = useState(0);
  return [
    written.get(key) ?? {},
    (change) => {
      if (change) written.set(key, { ...written.get(key), ...change });
      else written.delete(key);
      setCount((count) => count + 1);
    },
  ];
}

function useCreate(panel: GitPanelState, done: () => void) {
  const { say } = useWords();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (pull: Parameters<typeof createPull>[1]) => createPull(panel.sessionId, pull),
    onSuccess: ({ number }) => {
      done();
      void panel.run(async () => {
        await refreshPulls(client, panel.sessionId);
        return say('pulls.made', { number: number });
      });
      panel.go({ view: 'pulls', pull: String(number) });
    },
  });
}

/** Unpushed commits, with a push button. */
function Unsent({ panel, draft, isRefused }: { panel: GitPanelState; draft: PullDraft; isRefused: boolean }) {
  const { say } = useWords();
  const client = useQueryClient();
  const push = useMutation({
    mutationFn: () => api.post('/sessions/{sessionId}/git/push', { path: panel.path, body: { remote: draft.remote } }),
    onSettled: () =>
      Promise.all([
        refreshPulls(client, panel.sessionId),
        client.invalidateQueries({ queryKey: ['git', panel.sessionId] }),
      ]),
  });
  const isMissing = !draft.isPublished || isRefused;
  if (!isMissing && draft.ahead === 0) return null;
  return (
    <>
      <div className="pull-unsent" role="status">
        <p>
          {isMissing ? say('pulls.unpublished', { name: draft.branch }) : say('pulls.unsent', { count: draft.ahead })}
        </p>
        <Button leftSection={<ArrowUp size={14} aria-hidden />} loading={push.isPending} onClick={() => push.mutate()}>
          {say(isMissing ? 'git.publish' : 'git.push')}
        </Button>
      </div>
      {push.error && <Failure error={push.error} />}
    </>
  );
}

interface FieldsProps {
  draft: PullDraft;
  now: Required<Written>;
  write: (change: Written) => void;
}

function Fields({ draft, now, write }: FieldsProps) {
  const { say } = useWords();
  const id = useId();
  const bases = [
    ...new Set([...draft.bases.filter((name) => name !== draft.remoteBranch), ...(now.base ? [now.base] : [])]),
  ];
  return (
    <>
      <div className="field">
        <label htmlFor={`${id}-base`}>{say('pulls.base', { name: draft.branch })}</label>
        <select
          id={`${id}-base`}
          className="input"
          value={now.base}
          onChange={(event) => write({ base: event.currentTarget.value })}
        >
          {now.base === '' && <option value="">{say('pulls.base.choose')}</option>}
          {bases.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
        {now.base !== '' && !draft.isBaseKnown && <p className="warning small">{say('pulls.base.unknown')}</p>}
      </div>
      <div className="field">
        <label htmlFor={`${id}-title`}>{say('pulls.title')}</label>
        <input
          id={`${id}-title`}
          className="input"
          maxLength={256}
          value={now.title}
          onChange={(event) => write({ title: event.currentTarget.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-text`}>{say('pulls.text')}</label>
        <textarea
          id={`${id}-text`}
          className="input"
          rows={8}
          maxLength={65_536}
          value={now.text}
          onChange={(event) => write({ text: event.currentTarget.value })}
        />
      </div>
      <label className="git-check">
        <input
          type="checkbox"
          checked={now.isDraft}
          onChange={(event) => write({ isDraft: event.currentTarget.checked })}
        />
        {say('pulls.draft')}
      </label>
    </>
  );
}

const hasCode = (error: unknown, code: string) => error instanceof ApiError && error.code === code;

function Form({ panel, draft, kept }: { panel: GitPanelState; draft: PullDraft; kept: ReturnType<typeof useWritten> }) {
  const { say, number } = useWords();
  const [own, write] = kept;
  const create = useCreate(panel, () => write(undefined));
  const now = { title: draft.title, text: draft.text, base: draft.base ?? '', isDraft: false, ...own };
  const canCreate = draft.isPublished && now.title.trim() !== '' && now.base !== '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (canCreate && !create.isPending) create.mutate(now);
  };
  return (
    <form className="git-scroll pull-form" aria-label={say('pulls.new')} onSubmit={submit}>
      <h2>{say('pulls.new')}</h2>
      <Unsent panel={panel} draft={draft} isRefused={hasCode(create.error, 'HOST_BRANCH_NOT_PUSHED')} />
      <Fields draft={draft} now={now} write={write} />
      {draft.commit > 0 && (
        <p className="muted small">
          {draft.hasMoreCommits
            ? say('pulls.commits.more', { number: number(draft.commit) })
            : say('pulls.commits', { count: draft.commit })}
        </p>
      )}
      {create.error && <Failure error={create.error} />}
      <div className="failure-foot">
        <Button type="submit" variant="filled" disabled={!canCreate} loading={create.isPending}>
          {say('pulls.create')}
        </Button>
        <Button variant="subtle" color="gray" onClick={() => panel.go({ view: 'pulls' })}>
          {say('act.cancel')}
        </Button>
      </div>
    </form>
  );
}

/** The form of a new pull request, filled from the commits of the branch. */
export function NewPull({ panel }: { panel: GitPanelState }) {
  const branch = useBranch(panel);
  const kept = useWritten(`${panel.sessionId} ${branch}`);
  const query = useQuery({ ...pullDraftQuery(panel.sessionId, branch, kept[0].base), enabled: branch !== undefined });
  return (
    <Answer query={query} lines={8}>
      {(draft) => <Form panel={panel} draft={draft} kept={kept} />}
    </Answer>
  );
}
