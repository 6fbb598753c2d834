import { useMutation, useQueryClient } from '@tanstack/react-query';
import { openOverlay } from '../../shell/overlay-state.ts';
import { type AnyAutomation, deleteAutomation, refreshAutomations } from '../../wire/automations.ts';
import { useWords } from '../../words/words.ts';

/** Runs an action and refreshes; shows errors in a dialog. */
export function useAction(): { act: (run: () => Promise<unknown>) => void; isBusy: boolean } {
  const { say } = useWords();
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onError: (error) => openOverlay({ kind: 'failure', title: say('automation.failed'), error }),
    onSettled: () => refreshAutomations(client),
  });
  return { act: mutate, isBusy: isPending };
}

export function useDelete(onGone: () => void): (record: AnyAutomation) => void {
  const { say } = useWords();
  const client = useQueryClient();
  return (record) =>
    openOverlay({
      kind: 'confirm',
      title: say('automation.delete.ask', { name: record.name }),
      text: say('automation.delete.why'),
      act: say('act.delete'),
      isDangerous: true,
      run: async () => {
        await deleteAutomation(record.id);
        await refreshAutomations(client);
        onGone();
      },
    });
}
