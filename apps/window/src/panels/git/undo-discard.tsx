import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { discardsQuery, undoDiscard } from '../../wire/git.ts';
import { useWords } from '../../words/words.ts';
import type { GitPanelState } from './use-git-panel.ts';

/** The newest discard, while it can be undone. */
export function UndoDiscard({ panel }: { panel: GitPanelState }) {
  const { say, ago } = useWords();
  const { sessionId } = panel;
  const newest = useQuery(discardsQuery(sessionId)).data?.discards[0];
  const [name] = newest?.paths ?? [];
  if (!newest || name === undefined) return null;
  const undo = async () => {
    const { left } = await undoDiscard(sessionId, newest.id);
    return left.length > 0 ? say('git.discarded.skipped', { names: left.join(', ') }) : undefined;
  };
  const facts = { name, when: ago(newest.at), count: newest.paths.length - 1 };
  return (
    <div className="git-discarded small">
      <span>{say(facts.count === 0 ? 'git.discarded' : 'git.discarded.more', facts)}</span>
      <Button
        leftSection={<Undo2 size={14} aria-hidden />}
        disabled={panel.isBusy}
        onClick={() => void panel.run(undo)}
      >
        {say('git.discarded.undo')}
      </Button>
    </div>
  );
}
