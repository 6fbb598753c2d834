import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { Answer, Failure } from '../../parts/states.tsx';
import { createHook, hookAddress, hookQuery, removeHook } from '../../wire/automation-hooks.ts';
import { useWords } from '../../words/words.ts';

/** Lets other programs on this computer start an automation. The secret is shown once, while the page is open. */
export function Webhook({ id }: { id: string }) {
  const { say, date } = useWords();
  const client = useQueryClient();
  const query = useQuery(hookQuery(id));
  const refresh = () => client.invalidateQueries({ queryKey: hookQuery(id).queryKey });
  const create = useMutation({ mutationFn: () => createHook(id), onSettled: refresh });
  const remove = useMutation({
    mutationFn: () => removeHook(id),
    onSuccess: () => create.reset(),
    onSettled: refresh,
  });
  const error = create.error ?? remove.error;
  const isBusy = create.isPending || remove.isPending;
  return (
    <section className="field" aria-label={say('webhook.title')}>
      <h2>{say('webhook.title')}</h2>
      <p className="small muted">{say('webhook.why')}</p>
      <Answer query={query} lines={2}>
        {({ attivo, creatoAlle, ultimaChiamataAlle }) => (
          <>
            {attivo && creatoAlle && (
              <p className="small">
                {say('webhook.created', { date: date(creatoAlle) })}{' '}
                {ultimaChiamataAlle === null
                  ? say('webhook.neverCalled')
                  : say('webhook.called', { date: date(ultimaChiamataAlle) })}
              </p>
            )}
            {create.data && attivo && <Secret command={commandOf(id, create.data.segreto)} />}
            <div className="automation-acts">
              <Button disabled={isBusy} onClick={() => create.mutate()}>
                {say(attivo ? 'webhook.replace' : 'webhook.create')}
              </Button>
              {attivo && (
                <Button color="danger" disabled={isBusy} onClick={() => remove.mutate()}>
                  {say('webhook.remove')}
                </Button>
              )}
            </div>
          </>
        )}
      </Answer>
      {error && <Failure error={error} />}
    </section>
  );
}

function Secret({ command }: { command: string }) {
  const { say } = useWords();
  return (
    <div role="status">
      <p className="warning">{say('webhook.once')}</p>
      <pre className="webhook-command">{command}</pre>
      <Button
        leftSection={<Copy size={14} aria-hidden />}
        onClick={() => void navigator.clipboard.writeText(command).catch(() => undefined)}
      >
        {say('webhook.copy')}
      </Button>
    </div>
  );
}

const commandOf = (id: string, secret: string): string =>
  `curl --json '{}' -H 'Authorization: Bearer ${secret}' ${hookAddress(id)}`;
