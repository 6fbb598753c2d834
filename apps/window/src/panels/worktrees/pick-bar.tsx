import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useId, useState } from 'react';
import { Failure } from '../../parts/states.tsx';
import { folderName } from '../../shell/use-worktree-actions.tsx';
import { type PickTarget, pickChanges, undoPick } from '../../wire/picked-changes.ts';
import { useWords } from '../../words/words.ts';
import type { Compared } from './compared.ts';
import type { PickState } from './picked.ts';

interface Target extends PickTarget {
  key: string;
  name: string;
}

/** The folders that the worktrees were made from, then those of the sessions. */
function targetsOf(sides: readonly Compared[], nameOf: (id: string) => string): Target[] {
  const sources = [...new Set(sides.flatMap(({ worktree }) => (worktree ? [worktree.origin] : [])))];
  return [
    ...sources.map((folder) => ({ key: folder, name: folderName(folder), folder })),
    ...sides.map(({ row: { sessionId } }) => ({ key: sessionId, name: nameOf(sessionId), sessionId })),
  ];
}

function useApply(state: PickState) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (target: Target) => ({ target, ...(await pickChanges(target, [...state.picks])) }),
    onSuccess: ({ isApplied }) => {
      if (isApplied) state.clear();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['git'] }),
  });
}

type Applied = NonNullable<ReturnType<typeof useApply>['data']>;

/** What was applied, with its undo; or the conflicts. */
function Outcome({ applied, nameOf }: { applied: Applied; nameOf: (id: string) => string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const { target, undone, conflicts, paths } = applied;
  const undo = useMutation({
    mutationFn: (id: string) => undoPick(target, id),
    onSettled: () => client.invalidateQueries({ queryKey: ['git'] }),
  });
  if (conflicts.length > 0) {
    return (
      <div role="alert">
        <p className="warning">{say('compare.pick.conflicts', { count: conflicts.length, folder: target.name })}</p>
        <ul className="worktree-conflicts small">
          {conflicts.map(({ sessionId, path }) => (
            <li key={`${sessionId} ${path}`}>
              <code>{path}</code> <span className="muted">{nameOf(sessionId)}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  }
  const left = undo.data?.left ?? [];
  return (
    <div className="compare-picked">
      <span role="status">
        {undo.isSuccess
          ? say('compare.pick.undone', { folder: target.name })
          : say('compare.pick.done', { count: paths.length, folder: target.name })}
      </span>
      {left.length > 0 && <span className="warning">{say('compare.pick.left', { names: left.join(', ') })}</span>}
      {undone !== null && !undo.isSuccess && (
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Undo2 size={14} aria-hidden />}
          loading={undo.isPending}
          onClick={() => undo.mutate(undone)}
        >
          {say('compare.pick.undo')}
        </Button>
      )}
      {undo.error && <Failure error={undo.error} />}
    </div>
  );
}

/** Applies the chosen changes to a folder. */
export function PickBar({ sides, state }: { sides: readonly Compared[]; state: PickState }) {
  const { say } = useWords();
  const id = useId();
  const nameOf = (sessionId: string): string => {
    const side = sides.find(({ row }) => row.sessionId === sessionId);
    return side?.worktree?.name ?? side?.row.name ?? say('session.untitled');
  };
  const targets = targetsOf(sides, nameOf);
  const [chosen, choose] = useState('');
  const apply = useApply(state);
  const target = targets.find(({ key }) => key === chosen) ?? targets[0];
  const count = state.picks.length;
  if (!target || (count === 0 && !apply.data && !apply.error)) return null;
  const change = count > 0 && (
    <div className="compare-picked">
      <span>{say('compare.pick.count', { count })}</span>
      <label htmlFor={id}>{say('compare.pick.into')}</label>
      <select id={id} className="input" value={target.key} onChange={(event) => choose(event.currentTarget.value)}>
        {targets.map(({ key, name }) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
      <Button size="compact-sm" variant="filled" loading={apply.isPending} onClick={() => apply.mutate(target)}>
        {say('compare.pick.apply')}
      </Button>
      <Button size="compact-sm" variant="default" disabled={apply.isPending} onClick={state.clear}>
        {say('compare.pick.clear')}
      </Button>
    </div>
  );
  return (
    <section className="compare-bar" aria-label={say('compare.pick')}>
      {change}
      {apply.error && <Failure error={apply.error} />}
      {apply.data && <Outcome key={apply.submittedAt} applied={apply.data} nameOf={nameOf} />}
    </section>
  );
}
