import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { Failure } from '../parts/states.tsx';
import { NETWORK_MODES, type NetworkMode, SANDBOX_KEY, sandboxQuery, setNetwork } from '../wire/sandbox.ts';
import { useWords } from '../words/words.ts';

/** The network setting of one session's commands. */
export function SessionNetwork({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const id = useId();
  const client = useQueryClient();
  const query = useQuery(sandboxQuery({ sessionId }));
  const change = useMutation({
    mutationFn: (mode: NetworkMode | null) => setNetwork({ scope: 'session', sessionId, mode }),
    onSettled: () => client.invalidateQueries({ queryKey: SANDBOX_KEY }),
  });
  const network = query.data?.network;
  const inherited = network?.project ?? network?.everywhere ?? 'list';
  const chosen = change.isPending ? change.variables : (network?.session ?? null);
  const error = query.error ?? change.error;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {say('sandbox.network')}
      </label>
      <select
        id={id}
        className="input"
        value={chosen ?? ''}
        disabled={!network}
        onChange={(event) => change.mutate(NETWORK_MODES.find((mode) => mode === event.currentTarget.value) ?? null)}
      >
        <option value="">{say('sandbox.network.ofProject', { name: say(`sandbox.network.${inherited}`) })}</option>
        {NETWORK_MODES.map((mode) => (
          <option key={mode} value={mode}>
            {say(`sandbox.network.${mode}`)}
          </option>
        ))}
      </select>
      {error && <Failure error={error} />}
    </div>
  );
}
