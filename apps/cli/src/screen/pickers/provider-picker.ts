import type { ProviderRow } from '@fucina/host';
import { type ProviderState, stateOf } from '../../commands/providers.ts';
import { keyStoreOf } from '../../open-host.ts';
import { readSecret } from '../../read-secret.ts';
import type { Workbench } from '../workbench.ts';
import { pickModel } from './model-picker.ts';

/** Available providers first. */
const STATES: readonly ProviderState[] = ['ready', 'no-key-needed', 'key-missing', 'address-missing'];

/** All providers and their availability; choosing one shows its models, after its key was entered. */
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
  if (!row) return tell({ tone: 'warning', body: terminal.say('provider.unknown', { id }) });
  const state = stateOf(row);
  if (state === 'address-missing') tell({ tone: 'info', body: terminal.say('provider.how-address', { id }) });
  else if (state !== 'key-missing' || (await takeKey(row, workbench))) pickModel(workbench, id);
}

/** Typed without echo, and not stored in the history. False when none was entered. */
async function takeKey({ id, label }: ProviderRow, workbench: Workbench): Promise<boolean> {
  const { services, terminal, host, dir, suspend, tell } = workbench;
  const { io, say } = terminal;
  const key = await suspend(() => readSecret(io, say('provider.key-prompt', { label })));
  if (!key) {
    tell({ tone: 'info', body: say('provider.key-empty') });
    return false;
  }
  const { pool } = await services.providerKeys.set(id, key);
  const isKept = keyStoreOf(io, { ...host, dir }) === 'system';
  const { fingerprint = '' } = pool[0] ?? {};
  tell({ tone: 'success', body: say(isKept ? 'provider.key-saved' : 'provider.key-for-now', { label, fingerprint }) });
  return true;
}
