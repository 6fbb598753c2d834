import { useMutation, useQueryClient } from '@tanstack/react-query';
import { openOverlay } from '../../shell/overlay-state.ts';
import { refreshLibrary } from '../../wire/library.ts';
import {
  deleteResearch,
  type Export,
  exportResearch,
  pauseResearch,
  type Recheck,
  type Research,
  recheckResearch,
  resumeResearch,
  stopResearch,
} from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';

type Act = 'pause' | 'stop' | 'resume' | 'recheck';

export interface ResearchActions {
  /** The action in progress. */
  pending: Act | undefined;
  error: Error | null;
  /** Result of checking the sources again. */
  rechecked: Recheck | undefined;
  run(act: Act): void;
  /** Downloads it. */
  carry(as: Export): void;
  isCarrying: boolean;
  /** Asks first. */
  remove(): void;
}

/** Actions for one report. `onGone`: it was deleted. */
export function useResearchActions(sessionId: string, research: Research, onGone: () => void): ResearchActions {
  const { say } = useWords();
  const client = useQueryClient();
  const { id, title } = research;
  const refresh = () => client.invalidateQueries({ queryKey: ['research', sessionId] });
  const mutation = useMutation({
    mutationFn: async (act: Act): Promise<Recheck | undefined> => {
      if (act === 'recheck') return recheckResearch(sessionId, id);
      if (act === 'stop') await stopResearch(id);
      else await (act === 'pause' ? pauseResearch : resumeResearch)(sessionId, id);
      return undefined;
    },
    onSettled: refresh,
  });
  const carry = useMutation({
    mutationFn: (as: Export) => exportResearch(sessionId, id, as),
    onSuccess({ blob, name }) {
      const url = URL.createObjectURL(blob);
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
    },
  });
  return {
    pending: mutation.isPending ? mutation.variables : undefined,
    error: mutation.error ?? carry.error,
    rechecked: mutation.data,
    run: mutation.mutate,
    carry: carry.mutate,
    isCarrying: carry.isPending,
    remove: () =>
      openOverlay({
        kind: 'confirm',
        title: say('research.delete.ask', { name: title }),
        text: say('research.delete.why'),
        act: say('act.delete'),
        isDangerous: true,
        run: async () => {
          await deleteResearch(sessionId, id);
          onGone();
          client.removeQueries({ queryKey: ['research', sessionId, id] });
          await Promise.all([refresh(), refreshLibrary(client, sessionId)]);
        },
      }),
  };
}
