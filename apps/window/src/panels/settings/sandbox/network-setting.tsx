import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Failure } from '../../../parts/states.tsx';
import {
  NETWORK_MODES,
  type NetworkMode,
  SANDBOX_KEY,
  type SandboxNetwork,
  setNetwork,
} from '../../../wire/sandbox.ts';
import { useWords } from '../../../words/words.ts';

interface NetworkSettingProps {
  network: SandboxNetwork;
  /** Undefined: all projects. */
  folder: string | undefined;
}

/** The network setting of one project, or of all without their own. */
export function NetworkSetting({ network, folder }: NetworkSettingProps) {
  const { say } = useWords();
  const name = useId();
  const client = useQueryClient();
  // Optimistic: a click is visible before the server answers.
  const [chosen, setChosen] = useState<NetworkMode | null>();
  const change = useMutation({
    mutationFn: (mode: NetworkMode | null) =>
      setNetwork({ scope: folder === undefined ? 'everywhere' : 'project', folder, mode }),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: SANDBOX_KEY });
      setChosen(undefined);
    },
  });
  const choose = (mode: NetworkMode | null) => {
    setChosen(mode);
    change.mutate(mode);
  };
  const isProject = folder !== undefined;
  const everywhere = network.everywhere ?? 'list';
  const stored = isProject ? network.project : everywhere;
  const value = chosen === undefined ? stored : chosen;
  const choices: readonly (NetworkMode | null)[] = isProject ? [null, ...NETWORK_MODES] : NETWORK_MODES;
  return (
    <fieldset className="levels">
      <legend className="field-label">{say('sandbox.network')}</legend>
      {choices.map((mode) => (
        <label key={mode ?? 'inherited'} className="level" data-chosen={value === mode || undefined}>
          <input type="radio" name={name} checked={value === mode} onChange={() => choose(mode)} />
          <span>
            <span className="level-name">{say(mode ? `sandbox.network.${mode}` : 'sandbox.network.inherited')}</span>
            <span className="level-why">
              {mode
                ? say(`sandbox.network.${mode}.why`)
                : say('sandbox.network.inherited.why', { name: say(`sandbox.network.${everywhere}`) })}
            </span>
          </span>
        </label>
      ))}
      {change.error && <Failure error={change.error} />}
    </fieldset>
  );
}
