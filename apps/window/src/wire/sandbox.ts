import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, erase, read, send } from './call.ts';

type Schemas = components['schemas'];
export type Sandbox = Schemas['Sandbox'];
export type SandboxRule = Schemas['SandboxRule'];
export type SandboxRefusal = Schemas['SandboxRefusal'];
export type SandboxTest = Schemas['SandboxTest'];
export type SandboxNetwork = Schemas['SandboxNetwork'];
export type NetworkMode = SandboxNetwork['effettiva'];

export const NETWORK_MODES = ['spenta', 'elenco', 'aperta'] as const satisfies readonly NetworkMode[];

/** A project by its folder or one of its sessions; without either all projects. */
export interface SandboxPlace {
  cartella?: string | undefined;
  sessionId?: string | undefined;
}

/** Rules of a project apply in its subfolders too. */
export const appliesIn = ({ cartella }: SandboxRule, folder: string): boolean =>
  cartella === null || cartella === folder || folder.startsWith(`${cartella}/`);

const BASE = ['ext', 'sandbox'];
const POLL_MS = 10_000;

export const SANDBOX_KEY = ['sandbox'];

export const sandboxQuery = ({ cartella, sessionId }: SandboxPlace) =>
  queryOptions({
    queryKey: [...SANDBOX_KEY, 'state', cartella ?? '', sessionId ?? ''],
    queryFn: async ({ signal }) =>
      (await read<{ sandbox: Sandbox }>(address(BASE, { cartella, sessionId }), signal)).sandbox,
  });

/** Those of every project: the panel filters them. */
export const rulesQuery = queryOptions({
  queryKey: [...SANDBOX_KEY, 'rules'],
  queryFn: async ({ signal }) => (await read<{ regole: SandboxRule[] }>(address([...BASE, 'regole']), signal)).regole,
});

export const refusalsQuery = queryOptions({
  queryKey: [...SANDBOX_KEY, 'refusals'],
  queryFn: async ({ signal }) =>
    (await read<{ rifiuti: SandboxRefusal[] }>(address([...BASE, 'rifiuti']), signal)).rifiuti,
  refetchInterval: POLL_MS,
});

export const addRule = (rule: SandboxPlace & { regola: string }): Promise<unknown> =>
  send(address([...BASE, 'regole']), rule);

export const removeRule = (id: string): Promise<unknown> => erase(address([...BASE, 'regole', id]));

export const setNetwork = (
  setting: SandboxPlace & { ambito: 'ovunque' | 'progetto' | 'sessione'; modalita: NetworkMode | null },
): Promise<unknown> => send(address([...BASE, 'rete']), setting);

export const testSandbox = async (): Promise<SandboxTest> =>
  (await send<{ prova: SandboxTest }>(address([...BASE, 'prova']))).prova;
