import type { Answer, Schemas } from '@fucina/client';
import { queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
export type ResearchRow = Schemas['Research'];
export type Research = Schemas['ResearchDetail'];
export type ResearchState = ResearchRow['stato'];
export type Balance = Schemas['ResearchBalance'];
export type Claim = Research['affermazioni'][number];
export type Verdict = Claim['verdetto'];
export type Source = Research['sources'][number];
export type Step = Research['passi'][number];
export type Spend = Step['spesa'];

export type Recheck = Answer<'post', '/sessions/{sessionId}/research/{researchId}/riverifica'>['riverifica'];

export const EXPORTS = ['md', 'html', 'pdf', 'docx', 'json', 'bib', 'ris', 'fonti'] as const;
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
      const { ricerche, totale, errore } = await api.get('/sessions/{sessionId}/research', {
        path: { sessionId },
        signal,
      });
      return { rows: ricerche ?? [], total: totale, problem: ricerche ? undefined : (errore ?? '') };
    },
    refetchInterval: ({ state }) =>
      isExpected || state.data?.rows.some(({ stato }) => stato === 'running') ? POLL_MS : false,
  });

export const researchQuery = (sessionId: string, id: string) =>
  queryOptions({
    queryKey: ['research', sessionId, id],
    queryFn: async ({ signal }) =>
      (await api.get('/sessions/{sessionId}/research/{researchId}', { path: { sessionId, researchId: id }, signal }))
        .ricerca,
    refetchInterval: ({ state }) =>
      state.data?.stato === 'running' ? POLL_MS : state.data?.stato === 'paused' && RESTING_POLL_MS,
  });

export const pauseResearch = (sessionId: string, id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/research/{researchId}/pausa', { path: { sessionId, researchId: id } });

/** Stops the turn of its session: the current step is aborted, and restarted when resumed. */
export const stopResearch = (id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/stop', { path: { sessionId: id } });

export const resumeResearch = (sessionId: string, id: string): Promise<unknown> =>
  api.post('/sessions/{sessionId}/research/{researchId}/ripresa', { path: { sessionId, researchId: id } });

export const recheckResearch = async (sessionId: string, id: string): Promise<Recheck> =>
  (await api.post('/sessions/{sessionId}/research/{researchId}/riverifica', { path: { sessionId, researchId: id } }))
    .riverifica;

export const deleteResearch = (sessionId: string, id: string): Promise<unknown> =>
  api.delete('/sessions/{sessionId}/research/{researchId}', { path: { sessionId, researchId: id } });

export interface Export {
  formato: ExportFormat;
  /** Of a pdf. */
  tono?: Tone;
}

/** Exports the report in the window's language, with the server's file name. Throws ApiError. */
export async function exportResearch(
  sessionId: string,
  id: string,
  { formato, tono }: Export,
): Promise<{ blob: Blob; name: string }> {
  const response = await api.fetch('get', '/sessions/{sessionId}/research/{researchId}/esporta', {
    path: { sessionId, researchId: id },
    query: { formato, tono },
  });
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { blob: await response.blob(), name: name ? decodeURIComponent(name) : `${id}.${formato}` };
}
