import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Answer, Failure } from '../../../parts/states.tsx';
import { Switch } from '../../../parts/switch.tsx';
import { denyNetworkTool, type NetworkTool, networkToolsQuery, SANDBOX_KEY } from '../../../wire/sandbox.ts';
import { useWords } from '../../../words/words.ts';

/** Which tools of the agent may use the network, in one project or in all. */
export function NetworkTools({ folder }: { folder: string | undefined }) {
  const { say } = useWords();
  const client = useQueryClient();
  const tools = useQuery(networkToolsQuery(folder));
  const change = useMutation({
    mutationFn: (setting: Pick<NetworkTool, 'tool' | 'denied'>) => denyNetworkTool({ ...setting, folder }),
    onSettled: () => client.invalidateQueries({ queryKey: SANDBOX_KEY }),
  });
  return (
    <fieldset className="sandbox-tools">
      <legend className="field-label">{say('sandbox.tools')}</legend>
      <Answer query={tools} lines={3}>
        {(rows) =>
          rows.map(({ tool, denied, deniedBy }) => {
            // A project can deny more, not allow what all projects deny.
            const isWider = folder !== undefined && deniedBy.includes('everywhere');
            // Optimistic: a click is visible before the server answers.
            const isSent = change.isPending && change.variables.tool === tool;
            return (
              <Switch
                key={tool}
                label={say(`sandbox.tools.${tool}`)}
                {...(isWider && { why: say('sandbox.tools.everywhere') })}
                isOn={isSent ? !change.variables.denied : !denied}
                isDisabled={isWider}
                change={(isOn) => change.mutate({ tool, denied: !isOn })}
              />
            );
          })
        }
      </Answer>
      {change.error && <Failure error={change.error} />}
    </fieldset>
  );
}
