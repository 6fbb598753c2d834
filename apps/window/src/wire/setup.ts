import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get('/setup/state', { signal }),
});

export const doctorQuery = queryOptions({
  queryKey: ['doctor'],
  queryFn: ({ signal }) => api.get('/doctor', { signal }),
});
