import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { openOverlay } from '../../shell/overlay-state.ts';
import { createHook, hookAddress, hookQuery, removeHook } from '../../wire/automation-hooks.ts';
import { useWords } from '../../words/words.ts';

/** Lets other programs on this computer start an automation. The secret is shown once, while the page is open. */
export function Webhook({ id }: { id: string }) {
  const { say, date } = useWords();
  const query = useQuery(hookQuery(id));
  const { secret, create, replace, remove } = useSecret(id);
  return (
    <section className="field" aria-label={say('webhook.title')}>
      <h2>{say('webhook.title')}</h2>
      <p className="small muted">{say('webhook.why')}</p>
      <Answer query={query} lines={2}>
        {({ isOn, createdAt, lastCalledAt }) => (
          <>
            {isOn && createdAt && (
              <p className="small">
                {say('webhook.created', { date: date(createdAt) })}{' '}
                {lastCalledAt === null
                  ? say('webhook.neverCalled')
                  : say('webhook.called', { date: date(lastCalledAt) })}
              </p>
            )}
            {secret !== undefined && isOn && <Secret command={commandOf(id, secret)} />}
            <div className="automation-acts">
              {isOn ? (
                <>
                  <Button onClick={replace}>{say('webhook.replace')}</Button>
                  <Button color="danger" onClick={remove}>
                    {say('webhook.remove')}
                  </Button>
                </>
              ) : (
                <Button disabled={create.isPending} onClick={() => create.mutate()}>
                  {say('webhook.create')}
                </Button>
              )}
            </div>
          </>
        )}
      </Answer>
      {create.error && <Failure error={create.error} />}
    </section>
  );
}

/** Replacing and removing stop the programs that use the secret, so both need a confirmation. */
function useSecret(id: string) {
  const { say } = useWords();
  const client = useQueryClient();
  const [secret, setSecret] = useState<string>();
  const refresh = () => client.invalidateQueries({ queryKey: hookQuery(id).queryKey });
  const make = () => createHook(id).then(({ secret }) => setSecret(secret));
  const create = useMutation({ mutationFn: make, onSettled: refresh });
  const replace = () =>
    openOverlay({
      kind: 'confirm',
      title: say('webhook.replace.ask'),
      text: say('webhook.replace.why'),
      act: say('webhook.replace'),
      isDangerous: true,
      run: () => make().finally(refresh),
    });
  const remove = () =>
    openOverlay({
      kind: 'confirm',
      title: say('webhook.remove.ask'),
      text: say('webhook.remove.why'),
      act: say('webhook.remove'),
      isDangerous: true,
      run: () =>
        removeHook(id)
          .then(() => setSecret(undefined))
          .finally(refresh),
    });
  return { secret, create, replace, remove };
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
