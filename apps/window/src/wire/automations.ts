import type { Schemas } from '@fucina/client';
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type AnyAutomation = Schemas['Automation'];
export type Automation = Extract<AnyAutomation, { version: 2 }>;
export type AutomationRun = Schemas['AutomationRun'];
export type Schedule = Automation['schedule'];
export type ScheduleKind = Schedule['kind'];

/** The user's input. */
export type AutomationFields = Pick<
  Automation,
  'name' | 'instructions' | 'folder' | 'model' | 'permissions' | 'coordinates' | 'schedule' | 'timeZone' | 'repeats'
>;

/** Automations run by themselves: refreshed at intervals, more often while one runs. */
const POLL_MS = 5_000;
const RUNNING_POLL_MS = 1_000;

export const automationsQuery = queryOptions({
  queryKey: ['automations', 'list'],
  queryFn: async ({ signal }) => (await api.get('/automations', { signal })).items,
  refetchInterval: ({ state }) =>
    state.data?.some((record) => isCurrent(record) && record.runningTurn) ? RUNNING_POLL_MS : POLL_MS,
});

export const runsQuery = (id: string) =>
  queryOptions({
    queryKey: ['automations', 'runs', id],
    queryFn: async ({ signal }) =>
      (await api.get('/automations/{automationId}/runs', { path: { automationId: id }, signal })).items,
    refetchInterval: ({ state }) =>
      state.data?.some(({ outcome }) => outcome === 'started') ? RUNNING_POLL_MS : POLL_MS,
  });

export const refreshAutomations = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ queryKey: ['automations'] });

export const isCurrent = (record: AnyAutomation): record is Automation => 'version' in record;

export const createAutomation = (fields: AutomationFields): Promise<AnyAutomation> =>
  api.post('/automations', { body: fields });
export const changeAutomation = (automationId: string, fields: AutomationFields): Promise<AnyAutomation> =>
  api.post('/automations/{automationId}/change', { path: { automationId }, body: fields });
export const toggleAutomation = (automationId: string, isOn: boolean): Promise<unknown> =>
  api.post('/automations/{automationId}/toggle', { path: { automationId }, body: { isOn } });
export const setCoordination = (automationId: string, coordinates: boolean): Promise<unknown> =>
  api.post('/automations/{automationId}/coordination', { path: { automationId }, body: { coordinates } });
export const deleteAutomation = (automationId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/delete', { path: { automationId } });
export const runAutomation = (automationId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/run', { path: { automationId } });
export const stopAutomation = (automationId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/stop', { path: { automationId } });
export const markRead = (automationId: string, runId: string): Promise<unknown> =>
  api.post('/automations/{automationId}/runs/{runId}/read', { path: { automationId, runId } });
export const decideProposal = (
  automationId: string,
  runId: string,
  decision: 'approve' | 'discard',
): Promise<unknown> =>
  api.post('/automations/{automationId}/runs/{runId}/proposal', { path: { automationId, runId }, body: { decision } });
