import { useQueryClient } from '@tanstack/react-query';
import { Copy, FolderOpen, GitCommitVertical, GitCompare, GitMerge, Trash2 } from 'lucide-react';
import { useNavigate } from 'react-router';
import { later } from '../ambient.ts';
import { hooksNote } from '../parts/hooks-note.ts';
import type { MenuEntry } from '../parts/menu.tsx';
import { api } from '../wire/client.ts';
import { sessionsQuery } from '../wire/queries.ts';
import { mergeWorktree, removeWorktree } from '../wire/worktree-actions.ts';
import { refreshWorktrees, type Worktree } from '../wire/worktrees.ts';
import { useWords } from '../words/words.ts';
import { LostWork } from './lost-work.tsx';
import { openOverlay } from './overlay-state.ts';

/** Name of a folder, by its path. */
export const folderName = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;

export interface WorktreeActions {
  /** For a menu. */
  entries: MenuEntry[];
  /** Asks first. */
  merge(): void;
}

/** What can be done with a worktree; `related` are the sessions to compare those of this worktree with. */
export function useWorktreeActions(worktree: Worktree, related: readonly string[]): WorktreeActions {
  const { say } = useWords();
  const navigate = useNavigate();
  const merge = useMerge(worktree, false);
  const rebase = useMerge(worktree, true);
  const remove = useRemoval(worktree);
  const { state, path, folder } = worktree;
  return {
    merge,
    entries: [
      {
        id: 'open',
        icon: <FolderOpen size={14} aria-hidden />,
        name: say('worktree.open'),
        isDisabled: state === null,
        act: () => void navigate(`/?folder=${encodeURIComponent(folder)}`),
      },
      {
        id: 'copy',
        icon: <Copy size={14} aria-hidden />,
        name: say('worktree.copyPath'),
        act: () => void navigator.clipboard.writeText(path).catch(() => undefined),
      },
      {
        id: 'compare',
        icon: <GitCompare size={14} aria-hidden />,
        name: say('worktree.compare'),
        isDisabled: worktree.sessions.length === 0,
        act: () => void navigate(`/compare?sessions=${[...new Set([...worktree.sessions, ...related])].join(',')}`),
      },
      {
        id: 'merge',
        icon: <GitMerge size={14} aria-hidden />,
        name: say('worktree.merge', { folder: folderName(worktree.origin) }),
        isDisabled: state === null,
        act: merge,
      },
      {
        id: 'rebase',
        icon: <GitCommitVertical size={14} aria-hidden />,
        name: say('worktree.rebase', { folder: folderName(worktree.origin) }),
        isDisabled: state === null,
        act: rebase,
      },
      {
        id: 'remove',
        icon: <Trash2 size={14} aria-hidden />,
        name: say('worktree.remove'),
        isDangerous: true,
        act: remove,
      },
    ],
  };
}

function useRemoval(worktree: Worktree): () => void {
  const { say } = useWords();
  const client = useQueryClient();
  const { state, name, id, ownsBranch } = worktree;
  const isForced = state === null || state.changedFiles > 0 || (state.branch === null && state.unmerged > 0);
  // A branch without commits of its own is of no use to anyone.
  const deletesBranch = !isForced && ownsBranch && state.unmerged === 0;
  return () =>
    openOverlay({
      kind: 'confirm',
      title: say('worktree.remove.title', { name: name }),
      text: <LostWork worktree={worktree} deletesBranch={deletesBranch} />,
      act: say('act.remove'),
      isDangerous: isForced,
      run: async () => {
        await removeWorktree(id, { isForced, deletesBranch });
        await refreshWorktrees(client);
      },
    });
}

function useMerge(worktree: Worktree, isRebase: boolean): () => void {
  const { say } = useWords();
  const client = useQueryClient();
  const { state, name, id, origin } = worktree;
  const branch = state?.branch ?? name;
  const message = say('worktree.merge.message', { name: name });
  const hasChanges = (state?.changedFiles ?? 0) > 0;
  return () =>
    openOverlay({
      kind: 'confirm',
      title: say(isRebase ? 'worktree.rebase.title' : 'worktree.merge.title', { branch, folder: folderName(origin) }),
      text: hasChanges
        ? say('worktree.merge.commits', { count: state?.changedFiles ?? 0, message })
        : say(isRebase ? 'worktree.rebase.text' : 'worktree.merge.text', { folder: origin }),
      act: say(isRebase ? 'worktree.rebase.act' : 'worktree.merge.act'),
      isDangerous: false,
      run: async () => {
        const merged = await mergeWorktree(id, { message: hasChanges ? message : undefined, isRebase });
        await refreshWorktrees(client);
        await client.invalidateQueries({ queryKey: ['git'] });
        const { conflicts: files, in: into } = merged;
        // The dialog of this question closes first.
        if (!merged.isMerged) later(0, () => showConflicts({ files, into: into ?? origin }));
        const note = hooksNote(say, merged);
        if (note !== undefined) later(0, () => showNote(note));
      },
    });

  function showNote(text: string): void {
    const title = say('worktree.merge.hooks', { branch });
    openOverlay({
      kind: 'confirm',
      title,
      text,
      act: say('act.close'),
      isDangerous: false,
      run: async () => undefined,
    });
  }

  function showConflicts({ files, into }: { files: readonly string[]; into: string }): void {
    const sessionId = worktree.sessions[0];
    openOverlay({
      kind: 'confirm',
      title: say('worktree.conflicts.title', { count: files.length }),
      text: <Conflicts files={files} why={say('worktree.conflicts.why')} />,
      act: say(sessionId === undefined ? 'act.close' : 'worktree.conflicts.ask'),
      isDangerous: false,
      run: async () => {
        if (sessionId === undefined) return;
        const message = say(isRebase ? 'worktree.conflicts.rebase' : 'worktree.conflicts.message', {
          branch: into,
          files: files.join(', '),
        });
        await api.post('/sessions/{sessionId}/resume', { path: { sessionId }, body: { message } });
        await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      },
    });
  }
}

function Conflicts({ files, why }: { files: readonly string[]; why: string }) {
  return (
    <>
      <p>{why}</p>
      <ul className="worktree-conflicts">
        {files.map((file) => (
          <li key={file}>
            <code>{file}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
