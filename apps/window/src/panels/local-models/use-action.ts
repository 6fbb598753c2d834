import { useMutation, useQueryClient } from '@tanstack/react-query';
import { openOverlay } from '../../shell/overlay-state.ts';
import { deleteModel, type InstalledModel, refreshModels } from '../../wire/local-models.ts';
import { useWords } from '../../words/words.ts';

/** Runs an action and refreshes; shows errors in a dialog. */
export function useAction(): { act: (run: () => Promise<unknown>) => void; isBusy: boolean } {
  const { say } = useWords();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onError: (error) => openOverlay({ kind: 'failure', title: say('localModel.failed'), error }),
    onSettled: () => refreshModels(client),
  });
  return { act: mutate, isBusy: isPending };
}

export function useDelete(): (model: InstalledModel) => void {
  const { say, bytes } = useWords();
  const client = useQueryClient();
  return (model) =>
    openOverlay({
      kind: 'confirm',
      title: say('localModel.delete.ask', { name: model.name ?? model.id }),
      text: say('localModel.delete.why', { size: bytes(model.bytes) }),
      act: say('act.delete'),
      isDangerous: true,
      run: async () => {
        await deleteModel(model.id);
        await refreshModels(client);
      },
    });
}
