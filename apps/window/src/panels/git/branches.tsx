import { ApiError } from '@fucina/client';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Check, Pencil, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { CleanText } from '../../parts/clean-text.tsx';
import { hooksNote } from '../../parts/hooks-note.ts';
import { Menu } from '../../parts/menu.tsx';
import { NameInput } from '../../parts/name-input.tsx';
import { Answer } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import { type GitBranch, gitBranchesQuery } from '../../wire/git.ts';
import { gitSyncQuery } from '../../wire/git-sync.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

function useBranchActions(panel: GitPanelState) {
  const { say } = useWords();
  const { path } = panel;
  const silently = (request: () => Promise<unknown>) => async () => {
    await request();
    return undefined;
  };
  const remove = (branch: string, force?: true) =>
    api.post('/sessions/{sessionId}/git/branch-delete', { path, body: { branch, ...(force && { force }) } });
  return {
    open: (branch: string) =>
      void panel.run(async () =>
        hooksNote(say, await api.post('/sessions/{sessionId}/git/switch', { path, body: { branch } })),
      ),
    create: (branch: string) =>
      panel.run(async () =>
        hooksNote(say, await api.post('/sessions/{sessionId}/git/branch-create', { path, body: { branch } })),
      ),
    rename: (from: string, to: string) =>
      void panel.run(silently(() => api.post('/sessions/{sessionId}/git/branch-rename', { path, body: { from, to } }))),
    /** Deleting a branch with unmerged commits needs a second confirmation that says so. */
    remove: (branch: string) =>
      void panel.run(async () => {
        try {
          await remove(branch);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'GIT_BRANCH_NOT_MERGED') throw error;
          panel.ask({
            title: say('git.branch.delete.ask', { name: branch }),
            text: say('git.branch.delete.why'),
            act: say('act.delete'),
            run: silently(() => remove(branch, true)),
          });
          return undefined;
        }
        return say('git.branch.deleted', { name: branch });
      }),
  };
}

function NewBranch({ create }: { create: (name: string) => Promise<boolean> }) {
  const { say } = useWords();
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim()) void create(name.trim()).then((isDone) => isDone && setName(''));
  };
  return (
    <form className="git-form" onSubmit={submit}>
      <input
        className="input"
        aria-label={say('git.branch.new')}
        placeholder={say('git.branch.new')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!name.trim()}>
        {say('act.create')}
      </Button>
    </form>
  );
}

function BranchRow({ branch, acts }: { branch: GitBranch; acts: ReturnType<typeof useBranchActions> }) {
  const { say } = useWords();
  const [isNamed, setIsNamed] = useState(false);
  const { name, isCurrent, reference, ahead, behind, isUpstreamGone } = branch;
  const far = [ahead ? `↑${ahead}` : '', behind ? `↓${behind}` : ''].join(' ').trim();
  if (isNamed) {
    return (
      <li className="git-row">
        <NameInput
          name={name}
          label={say('git.branch.rename')}
          done={(chosen) => {
            setIsNamed(false);
            if (chosen !== undefined) acts.rename(name, chosen);
          }}
        />
      </li>
    );
  }
  return (
    <li className="git-row" data-shown={isCurrent || undefined}>
      <button
        type="button"
        className="git-row-open"
        aria-current={isCurrent || undefined}
        onClick={() => !isCurrent && acts.open(name)}
      >
        <span className="git-row-name">
          {isCurrent && <Check size={12} aria-hidden />} <CleanText text={name} />
        </span>
        <span className="muted small">
          {isUpstreamGone ? say('git.branch.gone') : (reference?.short ?? say('git.branch.local'))} {far}
        </span>
      </button>
      <Menu
        className=""
        label={say('git.branch.menu', { name: name })}
        entries={[
          {
            id: 'rename',
            icon: <Pencil size={14} aria-hidden />,
            name: say('git.branch.rename'),
            act: () => setIsNamed(true),
          },
          {
            id: 'delete',
            icon: <Trash2 size={14} aria-hidden />,
            name: say('act.delete'),
            isDangerous: true,
            isDisabled: isCurrent,
            act: () => acts.remove(name),
          },
        ]}
      />
    </li>
  );
}

/** Local branches, with one-click switching; and the remotes with their addresses. */
export function Branches({ panel }: { panel: GitPanelState }) {
  const { say } = useWords();
  const query = useQuery(gitBranchesQuery(panel.sessionId));
  const remotes = useQuery(gitSyncQuery(panel.sessionId)).data?.remotes ?? [];
  const acts = useBranchActions(panel);
  return (
    <>
      <NewBranch create={acts.create} />
      <Answer query={query}>
        {({ branches }) => (
          <ul className="git-rows">
            {branches.map((branch) => (
              <BranchRow key={branch.name} branch={branch} acts={acts} />
            ))}
          </ul>
        )}
      </Answer>
      <h2 className="git-title">{say('git.remotes')}</h2>
      {remotes.length === 0 && <p className="muted small git-note">{say('git.remotes.none')}</p>}
      <ul className="git-rows">
        {remotes.map(({ name, url, pushUrl }) => (
          <li key={name} className="git-remote">
            <span>{name}</span>
            <code className="muted small">{pushUrl ? `${url} → ${pushUrl}` : url}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
