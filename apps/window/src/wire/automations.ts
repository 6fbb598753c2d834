import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type AnyAutomation = Schemas['Automation'];
export type Automation = Extract<AnyAutomation, { versione: 2 }>;
export type AutomationRun = Schemas['AutomationRun'];
export type Schedule = Automation['pianificazione'];
export type ScheduleKind = Schedule['tipo'];

/** The user's input. */
export type AutomationFields = Pick<
  Automation,
  | 'nome'
  | 'istruzioni'
  | 'cartella'
  | 'modello'
  | 'permessi'
  | 'coordinazione'
  | 'pianificazione'
  | 'fusoOrario'
  | 'ripeti'
>;

/** Automations run by themselves: refreshed at intervals, more often while one runs. */
const POLL_MS = 5_000;
const RUNNING_POLL_MS = 1_000;

export const automationsQuery = queryOptions({
  queryKey: ['automations', 'list'],
  queryFn: async ({ signal }) => (await api.get('/automations', { signal })).items,
  refetchInterval: ({ state }) =>
    state.data?.some((record) => isCurrent(record) && record.giroInCorso) ? RUNNING_POLL_MS : POLL_MS,
});

export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'runs', id],
    queryFn: async ({ signal }) =>
      (await api.get('/automations/{automationId}/runs', { path: { automationId: id }, signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(({ esito }) => esito === 'partita') ? RUNNING_POLL_MS : POLL_MS),
  });

export const refreshAutomations = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['automations'] });

export const isCurrent = (record: AnyAutomation): record is Automation => 'versione' in record;

export const createAutomation = (fields: AutomationFields): Promise<AnyAutomation> =>
  api.post('/automations', { body: fields });
export const changeAutomation = (automationId: string, fields: AutomationFields): Promise<AnyAutomation> =>
  api.post('/automations/{automationId}/modifica', { path: { automationId }, body: fields });
export const toggleAutomation = (automationId: string, attiva: boolean): Promise<unknown> =>
  api.post('/automations/{automationId}/toggle', { path: { automationId }, body: { attiva } });
export const setCoordination = (automationId: string, coordinazione: boolean): Promise<unknown> =>
  api.post('/automations/{automationId}/coordinazione', { path: { automationId }, body: { coordinazione } });
export const deleteAutomation = (automationId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/elimina', { path: { automationId } });
export const runAutomation = (automationId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/esegui', { path: { automationId } });
export const stopAutomation = (automationId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/ferma', { path: { automationId } });
export const markRead = (automationId: string, runId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/runs/{runId}/letta', { path: { automationId, runId } });
export const decideProposal = (
  automationId: string,
  runId: string,
  decisione: 'approva' | 'scarta',
): Promise<unknown> =>
  api.post('/automations/{automationId}/runs/{runId}/proposta', { path: { automationId, runId }, body: { decisione } });
