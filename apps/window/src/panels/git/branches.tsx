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
import { type GitBranch, gitBranchesQuery, gitSyncQuery } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

function useBranchActions(panel: GitPanelState) {
  const { say } = useWords();
  const { path } = panel;
  const silently = (request: () => Promise<unknown>) => async () => {
    await request();
    return undefined;
  };
  const remove = (ramo: string, forza?: true) =>
    api.post('/sessions/{sessionId}/git/branch-delete', { path, body: { ramo, ...(forza && { forza }) } });
  return {
    open: (ramo: string) =>
      void panel.run(async () =>
        hooksNote(say, await api.post('/sessions/{sessionId}/git/switch', { path, body: { ramo } })),
      ),
    create: (ramo: string) =>
      panel.run(async () =>
        hooksNote(say, await api.post('/sessions/{sessionId}/git/branch-create', { path, body: { ramo } })),
      ),
    rename: (da: string, a: string) =>
      void panel.run(silently(() => api.post('/sessions/{sessionId}/git/branch-rename', { path, body: { da, a } }))),
    /** Deleting a branch with unmerged commits needs a second confirmation that says so. */
    remove: (ramo: string) =>
      void panel.run(async () => {
        try {
          await remove(ramo);
        } catch (error) {
          if (!(error instanceof ApiError) || error.code !== 'GIT_BRANCH_NOT_MERGED') throw error;
          panel.ask({
            title: say('git.branch.delete.ask', { name: ramo }),
            text: say('git.branch.delete.why'),
            act: say('act.delete'),
            run: silently(() => remove(ramo, true)),
          });
          return undefined;
        }
        return say('git.branch.deleted', { name: ramo });
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
  const { nome, corrente, riferimento, avanti, indietro, riferimentoSparito } = branch;
  const far = [avanti ? `↑${avanti}` : '', indietro ? `↓${indietro}` : ''].join(' ').trim();
  if (isNamed) {
    return (
      <li className="git-row">
        <NameInput
          name={nome}
          label={say('git.branch.rename')}
          done={(chosen) => {
            setIsNamed(false);
            if (chosen !== undefined) acts.rename(nome, chosen);
          }}
        />
      </li>
    );
  }
  return (
    <li className="git-row" data-shown={corrente || undefined}>
      <button
        type="button"
        className="git-row-open"
        aria-current={corrente || undefined}
        onClick={() => !corrente && acts.open(nome)}
      >
        <span className="git-row-name">
          {corrente && <Check size={12} aria-hidden />} <CleanText text={nome} />
        </span>
        <span className="muted small">
          {riferimentoSparito ? say('git.branch.gone') : (riferimento?.corto ?? say('git.branch.local'))} {far}
        </span>
      </button>
      <Menu
        className=""
        label={say('git.branch.menu', { name: nome })}
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
            isDisabled: corrente,
            act: () => acts.remove(nome),
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
  const remotes = useQuery(gitSyncQuery(panel.sessionId)).data?.remoti ?? [];
  const acts = useBranchActions(panel);
  return (
    <>
      <NewBranch create={acts.create} />
      <Answer query={query}>
        {({ rami }) => (
          <ul className="git-rows">
            {rami.map((branch) => (
              <BranchRow key={branch.nome} branch={branch} acts={acts} />
            ))}
          </ul>
        )}
      </Answer>
      <h2 className="git-title">{say('git.remotes')}</h2>
      {remotes.length === 0 && <p className="muted small git-note">{say('git.remotes.none')}</p>}
      <ul className="git-rows">
        {remotes.map(({ nome, url, urlInvio }) => (
          <li key={nome} className="git-remote">
            <span>{nome}</span>
            <code className="muted small">{urlInvio ? `${url} → ${urlInvio}` : url}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
