import type { Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type Sandbox = Schemas['Sandbox'];
export type SandboxRule = Schemas['SandboxRule'];
export type SandboxRefusal = Schemas['SandboxRefusal'];
export type SandboxTest = Schemas['SandboxTest'];
export type SandboxNetwork = Schemas['SandboxNetwork'];
export type NetworkMode = SandboxNetwork['effective'];

export const NETWORK_MODES = ['off', 'list', 'open'] as const satisfies readonly NetworkMode[];

/** A project by its folder or one of its sessions; without either all projects. */
export interface SandboxPlace {
  folder?: string | undefined;
  sessionId?: string | undefined;
}

/** Rules of a project apply in its subfolders too. */
export const appliesIn = (rule: SandboxRule, folder: string): boolean =>
  rule.folder === null || rule.folder === folder || folder.startsWith(`${rule.folder}/`);

const POLL_MS = 10_000;

export const SANDBOX_KEY = ['sandbox'];

export const sandboxQuery = ({ folder, sessionId }: SandboxPlace) =>
  queryOptions({
    queryKey: [...SANDBOX_KEY, 'state', folder ?? '', sessionId ?? ''],
    queryFn: async ({ signal }) => (await api.get('/ext/sandbox', { query: { folder, sessionId }, signal })).sandbox,
  });

/** Those of every project: the panel filters them. */
export const rulesQuery = queryOptions({
  queryKey: [...SANDBOX_KEY, 'rules'],
  queryFn: async ({ signal }) => (await api.get('/ext/sandbox/rules', { signal })).rules,
});

export const refusalsQuery = queryOptions({
  queryKey: [...SANDBOX_KEY, 'refusals'],
  queryFn: async ({ signal }) => (await api.get('/ext/sandbox/refusals', { signal })).refusals,
  refetchInterval: POLL_MS,
});

export const addRule = (rule: SandboxPlace & { rule: string }): Promise<unknown> =>
  api.post('/ext/sandbox/rules', { body: rule });

export const removeRule = (id: string): Promise<unknown> =>
  api.delete('/ext/sandbox/rules/{ruleId}', { path: { ruleId: id } });

export const setNetwork = (
  setting: SandboxPlace & { scope: 'everywhere' | 'project' | 'session'; mode: NetworkMode | null },
): Promise<unknown> => api.post('/ext/sandbox/network', { body: setting });

export type NetworkTool = Schemas['NetworkTool'];

export const networkToolsQuery = (folder: string | undefined) =>
  queryOptions({
    queryKey: [...SANDBOX_KEY, 'tools', folder ?? ''],
    queryFn: async ({ signal }) => (await api.get('/ext/sandbox/tools', { query: { folder }, signal })).tools,
  });

export const denyNetworkTool = (
  setting: Pick<NetworkTool, 'tool' | 'denied'> & { folder: string | undefined },
): Promise<unknown> =>
  api.post('/ext/sandbox/tools', {
    body: { ...setting, scope: setting.folder === undefined ? 'everywhere' : 'project' },
  });

export const testSandbox = async (): Promise<SandboxTest> => (await api.post('/ext/sandbox/test')).test;
