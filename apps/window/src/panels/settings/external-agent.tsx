import { Button } from '@mantine/core';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { api } from '../../wire/client.ts';
import type { ProviderRuntime } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';
import { useRefresh } from './provider-actions.ts';

const AGENT = 'esterno';

const agentQuery = queryOptions({
  queryKey: ['providers', AGENT, 'runtime'],
  queryFn: ({ signal }) => api.get('/providers/{providerId}/runtime', { path: { providerId: AGENT }, signal }),
});

/** One argument per line, so that quoting is unambiguous. */
const argumentsOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

function useAgentActions() {
  const onSettled = useRefresh();
  const save = useMutation({
    mutationFn: (agent: { command: string; args: string[] }) =>
      api.post('/providers/{providerId}/runtime', { path: { providerId: AGENT }, body: { agent } }),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: () => api.post('/providers/{providerId}/runtime/reset', { path: { providerId: AGENT } }),
    onSettled,
  });
  return { save, remove };
}

function AgentForm({ runtime, onSaved }: { runtime: ProviderRuntime; onSaved?: (() => void) | undefined }) {
  const { say } = useWords();
  const [commandId, argsId] = [useId(), useId()];
  const { save, remove } = useAgentActions();
  const [command, setCommand] = useState(runtime.agent?.command ?? '');
  const [args, setArgs] = useState((runtime.agent?.args ?? []).join('\n'));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!command.trim()) return;
    save.mutate({ command: command.trim(), args: argumentsOf(args) }, { onSuccess: () => onSaved?.() });
  };
  const clear = () =>
    remove.mutate(undefined, {
      onSuccess() {
        setCommand('');
        setArgs('');
      },
    });
  return (
    <form className="form" onSubmit={submit}>
      <div className="field">
        <label className="field-label" htmlFor={commandId}>
          {say('agent.command')}
        </label>
        <input
          id={commandId}
          className="input code-input"
          value={command}
          placeholder="/usr/local/bin/agent"
          onChange={(event) => setCommand(event.currentTarget.value)}
        />
      </div>
      <div className="field">
        <label className="field-label" htmlFor={argsId}>
          {say('agent.arguments')}
        </label>
        <textarea
          id={argsId}
          className="input code-input"
          rows={3}
          value={args}
          onChange={(event) => setArgs(event.currentTarget.value)}
        />
      </div>
      <div className="inline-form">
        <Button type="submit" loading={save.isPending} disabled={!command.trim()}>
          {say('act.save')}
        </Button>
        {runtime.agent && (
          <Button variant="subtle" color="gray" loading={remove.isPending} onClick={clear}>
            {say('act.remove')}
          </Button>
        )}
        {save.isSuccess && (
          <span className="small success" role="status">
            <Check size={12} aria-hidden /> {say('agent.saved')}
          </span>
        )}
      </div>
      {(save.error ?? remove.error) && <Failure error={save.error ?? remove.error} />}
    </form>
  );
}

/** The user's program that speaks the Agent Client Protocol and runs whole turns itself. */
export function ExternalAgent({ onSaved }: { onSaved?: () => void }) {
  const { say } = useWords();
  const query = useQuery(agentQuery);
  return (
    <div className="form">
      <p className="muted">{say('agent.intro')}</p>
      <Answer query={query} lines={4}>
        {(runtime) => <AgentForm runtime={runtime} onSaved={onSaved} />}
      </Answer>
    </div>
  );
}
