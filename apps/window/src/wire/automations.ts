import type { components } from '@fucina/wire-types';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { address, read, send } from './call.ts';

type Schemas = components['schemas'];
export type AnyAutomation = Schemas['Automation'];
export type Automation = Extract<AnyAutomation, { versione: 2 }>;
export type AutomationRun = Schemas['AutomationRun'];
export type Schedule = Automation['pianificazione'];
export type ScheduleKind = Schedule['tipo'];
export type PermissionLevel = Automation['permessi'];

/** The user's input. */
export interface AutomationFields {
  nome: string;
  istruzioni: string;
  cartella: string;
  modello: string | null;
  permessi: PermissionLevel;
  coordinazione: boolean;
  pianificazione: Schedule;
  fusoOrario: string;
  ripeti: number | null;
}

/** Automations run by themselves: refreshed at intervals, more often while one runs. */
const POLL_MS = 5_000;
const RUNNING_POLL_MS = 1_000;

export const automationsQuery = queryOptions({
  queryKey: ['automations', 'list'],
  queryFn: async ({ signal }) => (await read<{ items: AnyAutomation[] }>(address(['automations']), signal)).items,
  refetchInterval: ({ state }) =>
    state.data?.some((record) => isCurrent(record) && record.giroInCorso) ? RUNNING_POLL_MS : POLL_MS,
});

export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'runs', id],
    queryFn: async ({ signal }) =>
      (await read<{ items: AutomationRun[] }>(address(['automations', id, 'runs']), signal)).items,
    refetchInterval: ({ state }) => (state.data?.some(({ esito }) => esito === 'partita') ? RUNNING_POLL_MS : POLL_MS),
  });

export const refreshAutomations = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['automations'] });

export const isCurrent = (record: AnyAutomation): record is Automation => 'versione' in record;

const act = <Data = unknown>(parts: string[], body?: unknown): Promise<Data> =>
  send<Data>(address(['automations', ...parts]), body);

export const createAutomation = (fields: AutomationFields): Promise<Automation> => act([], fields);
export const changeAutomation = (id: string, fields: AutomationFields): Promise<Automation> =>
  act([id, 'modifica'], fields);
export const toggleAutomation = (id: string, attiva: boolean): Promise<unknown> => act([id, 'toggle'], { attiva });
export const setCoordination = (id: string, coordinazione: boolean): Promise<unknown> =>
  act([id, 'coordinazione'], { coordinazione });
export const deleteAutomation = (id: string): Promise<unknown> => act([id, 'elimina']);
export const runAutomation = (id: string): Promise<unknown> => act([id, 'esegui']);
export const stopAutomation = (id: string): Promise<unknown> => act([id, 'ferma']);
export const markRead = (id: string, runId: string): Promise<unknown> => act([id, 'runs', runId, 'letta']);
export const decideProposal = (id: string, runId: string, decisione: 'approva' | 'scarta'): Promise<unknown> =>
  act([id, 'runs', runId, 'proposta'], { decisione });
