import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { openOverlay } from '../../shell/overlay-state.ts';
import { type RetryPreview, type RunAction, refreshWorkflows, retryPreview, steerRun } from '../../wire/workflows.ts';
import { useWords, type Words } from '../../words/words.ts';

const NAMED = 5;

export interface RunActions {
  pending: RunAction | undefined;
  error: Error | null;
  run(act: 'pause' | 'resume'): void;
  /** Asks first. */
  cancel(): void;
  /** Shows what would run again, and asks. */
  retry(): void;
}

function previewWords({ failed, dependents, retained }: RetryPreview, { say }: Words): string {
  const named = failed.slice(0, NAMED).map(({ label }) => label);
  const names = failed.length > NAMED ? `${named.join(', ')} …` : named.join(', ');
  return [
    say('workflow.act.retry.again', { count: failed.length, names }),
    ...(dependents.length > 0 ? [say('workflow.act.retry.after', { count: dependents.length })] : []),
    ...(retained > 0 ? [say('workflow.act.retry.kept', { count: retained })] : []),
  ].join(' ');
}

/** Actions for a run. Each has one command id until it was answered. */
export function useRunActions(sessionId: string, runId: string): RunActions {
  const words = useWords();
  const { say } = words;
  const client = useQueryClient();
  const wishes = useRef(new Map<RunAction, string>());
  const [isLooking, setIsLooking] = useState(false);
  const steer = useMutation({
    mutationFn: (act: RunAction) => {
      const id = wishes.current.get(act) ?? crypto.randomUUID();
      wishes.current.set(act, id);
      return steerRun({ sessionId, runId }, act, id);
    },
    onSuccess: (_, act) => void wishes.current.delete(act),
    onSettled: () =>
      Promise.all([
        refreshWorkflows(client, sessionId),
        client.invalidateQueries({ queryKey: ['workflow-run', runId, 'graph'] }),
      ]),
  });
  const look = useMutation({
    mutationFn: () => retryPreview(sessionId, runId),
    onMutate: () => setIsLooking(true),
    onSettled: () => setIsLooking(false),
    onSuccess: (preview) =>
      openOverlay({
        kind: 'confirm',
        title: say('workflow.act.retry.ask'),
        text: previewWords(preview, words),
        act: say('workflow.act.retry'),
        isDangerous: false,
        run: () => steer.mutateAsync('retry'),
      }),
  });
  return {
    pending: isLooking ? 'retry' : steer.isPending ? steer.variables : undefined,
    error: steer.error ?? look.error,
    run: steer.mutate,
    cancel: () =>
      openOverlay({
        kind: 'confirm',
        title: say('workflow.act.cancel.ask'),
        text: say('workflow.act.cancel.why'),
        act: say('workflow.act.cancel'),
        isDangerous: true,
        run: () => steer.mutateAsync('cancel'),
      }),
    retry: look.mutate,
  };
}
