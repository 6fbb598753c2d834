import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await api.get('/projects', { signal })).items,
});

export const frequentQuery = queryOptions({
  queryKey: ['frequent'],
  queryFn: async ({ signal }) => (await api.get('/frequent-dirs', { signal })).items,
});

export const browserQuery = (path: string | undefined) =>
  queryOptions({
    queryKey: ['browser', path ?? ''],
    queryFn: ({ signal }) => api.get('/workspace-browser', { query: { path }, signal }),
  });

export const portraitQuery = (path: string) =>
  queryOptions({
    queryKey: ['portrait', path],
    queryFn: ({ signal }) => api.get('/workspace-info', { query: { path }, signal }),
  });

/** `owner` is `sessions` or `projects`. */
export const treeQuery = (owner: 'sessions' | 'projects', id: string, path: string) =>
  queryOptions({
    queryKey: ['tree', owner, id, path],
    queryFn: async ({ signal }) => {
      const request = { query: { path: path || undefined }, signal };
      const { entries } = await (owner === 'sessions'
        ? api.get('/sessions/{sessionId}/tree', { path: { sessionId: id }, ...request })
        : api.get('/projects/{projectId}/tree', { path: { projectId: id }, ...request }));
      return entries;
    },
  });

export const fileQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: ['file', sessionId, path],
    queryFn: ({ signal }) =>
      api.get('/sessions/{sessionId}/tree/file', { path: { sessionId }, query: { path }, signal }),
  });
