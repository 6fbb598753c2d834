import { type ProviderState, stateOf } from '../../commands/providers.ts';
import type { Workbench } from '../workbench.ts';
import { pickModel } from './model-picker.ts';

/** What can be used comes first. */
const STATES: readonly ProviderState[] = ['ready', 'no-key-needed', 'key-missing', 'address-missing'];

/** Every provider and whether it can be used; choosing one shows its models, or how to set it up. */
export function pickProvider(workbench: Workbench): void {
  const { services, terminal, pick } = workbench;
  const { say } = terminal;
  const rows = services.providers.registry.list().then((providers) =>
    providers
      .map((row) => ({ row, state: stateOf(row) }))
      .sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state))
      .map(({ row: { id, label, endpoint }, state }) => ({
        value: id,
        label,
        detail: [say(`providers.${state}`), endpoint ?? ''].filter(Boolean).join(' · '),
      })),
  );
  pick({ title: say('picker.provider'), rows, choose: (id) => chooseProvider(id, workbench) });
}

export async function chooseProvider(id: string, workbench: Workbench): Promise<void> {
  const { services, terminal, tell } = workbench;
  const row = (await services.providers.registry.list()).find((one) => one.id === id);
  const state = row && stateOf(row);
  if (state === 'key-missing') tell({ tone: 'info', body: terminal.say('provider.how-key', { id }) });
  else if (state === 'address-missing') tell({ tone: 'info', body: terminal.say('provider.how-address', { id }) });
  else if (state) pickModel(workbench, id);
  else tell({ tone: 'warning', body: terminal.say('provider.unknown', { id }) });
}
