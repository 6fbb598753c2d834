import { useMutation, useQueryClient } from '@tanstack/react-query';
import { later } from '../../ambient.ts';
import { openOverlay } from '../../shell/overlay-state.ts';
import { runtimesQuery } from '../../wire/local-runtimes.ts';
import { useWords } from '../../words/words.ts';

/** The engine reports its new state soon after the request. */
const SOON_MS = 150;

/** Runs an engine action and refreshes, at the start and at the end; shows errors in a dialog. */
export function useEngineAction(): { act: (run: () => Promise<unknown>) => void; isBusy: boolean } {
  const { say } = useWords();
  const client = useQueryClient();
  const look = () => client.invalidateQueries({ queryKey: runtimesQuery.queryKey });
  const { mutate, isPending } = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onMutate: () => void later(SOON_MS, () => void look()),
    onError: (error) => openOverlay({ kind: 'failure', title: say('localModel.failed'), error }),
    onSettled: () => client.invalidateQueries({ queryKey: ['local-models'] }),
  });
  return { act: mutate, isBusy: isPending };
}
