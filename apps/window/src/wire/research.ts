import type { Answer, Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type ResearchRow = Schemas['Research'];
export type Research = Schemas['ResearchDetail'];
export type ResearchState = ResearchRow['state'];
export type Balance = Schemas['ResearchBalance'];
export type Claim = Research['claims'][number];
export type Verdict = Claim['verdict'];
export type Source = Research['sources'][number];
export type Step = Research['steps'][number];
export type Spend = Step['spending'];

export type Recheck = Answer<'post', '/sessions/{sessionId}/research/{researchId}/recheck'>['recheck'];

export const EXPORTS = ['md', 'html', 'pdf', 'docx', 'json', 'bib', 'ris', 'sources'] as const;
export type ExportFormat = (typeof EXPORTS)[number];
export const TONES = ['report', 'brief', 'dossier'] as const;
export type Tone = (typeof TONES)[number];

const POLL_MS = 2_000;
/** Paused runs may be resumed from their conversation, or by an agent. */
const RESTING_POLL_MS = 10_000;

interface Researches {
  rows: readonly ResearchRow[];
  /** More than `rows` when the interface's limit is exceeded. */
  total: number;
  /** Why they cannot be listed, as text. */
  problem: string | undefined;
}

/** `isExpected`: polls for a run that is about to start. */
export const researchListQuery = (sessionId: string, isExpected = false) =>
  queryOptions({
    queryKey: ['research', sessionId],
    queryFn: async ({ signal }): Promise<Researches> => {
      const { researchReports, total, error } = await api.get('/sessions/{sessionId}/research', {
        path: { sessionId },
        signal,
      });
      return { rows: researchReports ?? [], total: total, problem: researchReports ? undefined : (error ?? '') };
    },
    refetchInterval: ({ state }) =>
      isExpected || state.data?.rows.some(({ state }) => state === 'running') ? POLL_MS : false,
  });

export const researchQuery = (sessionId: string, id: string) =>
  queryOptions({
    queryKey: ['research', sessionId, id],
    queryFn: async ({ signal }) =>
      (await api.get('/sessions/{sessionId}/research/{researchId}', { path: { sessionId, researchId: id }, signal }))
        .research,
    refetchInterval: ({ state }) =>
      state.data?.state === 'running' ? POLL_MS : state.data?.state === 'paused' && RESTING_POLL_MS,
  });

export const pauseResearch = (sessionId: string, id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/research/{researchId}/pause', { path: { sessionId, researchId: id } });

/** Stops the turn of its session: the current step is aborted, and restarted when resumed. */
export const stopResearch = (id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/stop', { path: { sessionId: id } });

export const resumeResearch = (sessionId: string, id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/research/{researchId}/resume', { path: { sessionId, researchId: id } });

export const recheckResearch = async (sessionId: string, id: string): Promise<Recheck> =>
  (await api.post('/sessions/{sessionId}/research/{researchId}/recheck', { path: { sessionId, researchId: id } }))
    .recheck;

export const deleteResearch = (sessionId: string, id: string): Promise<unknown> =>
  api.delete('/sessions/{sessionId}/research/{researchId}', { path: { sessionId, researchId: id } });

export interface Export {
  format: ExportFormat;
  /** Of a pdf. */
  tone?: Tone;
}

/** Exports the report in the window's language, with the server's file name. Throws ApiError. */
export async function exportResearch(
  sessionId: string,
  id: string,
  { format, tone }: Export,
): Promise<{ blob: Blob; name: string }> {
  const response = await api.fetch('get', '/sessions/{sessionId}/research/{researchId}/export', {
    path: { sessionId, researchId: id },
    query: { format, tone },
  });
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { blob: await response.blob(), name: name ? decodeURIComponent(name) : `${id}.${format}` };
}
