import { type Answer, ApiError, type ApiErrorBody, OFFLINE, type Schemas } from '@fucina/client';
import type { ModelManifest } from '@fucina/shared/model-files';
import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { language } from '../words/words.ts';
import { api } from './client.ts';
import { catalogQuery } from './models.ts';
export type InstalledModel = Schemas['InstalledModel'];
export type HubModel = Schemas['HubModel'];
export type HubRepository = Schemas['HubRepository'];
export type Download = Schemas['Download'];

export const HUB_SORTS = ['downloads', 'likes', 'lastModified', 'created'] as const;
export type HubSort = (typeof HUB_SORTS)[number];

const POLL_MS = 1_000;
const PAGE = '20';

export const installedQuery = queryOptions({
  queryKey: ['local-models', 'installed'],
  queryFn: async ({ signal }) => (await api.get('/local-models', { signal })).items,
});

export const isUnderWay = ({ state }: Download): boolean =>
  state === 'queued' || state === 'running' || state === 'verifying';

/** Polled while something is downloading. */
export const downloadsQuery = queryOptions({
  queryKey: ['local-models', 'downloads'],
  queryFn: async ({ signal }) => (await api.get('/hub/downloads', { signal })).items,
  refetchInterval: ({ state }) => (state.data?.some(isUnderWay) ? POLL_MS : false),
});

export const hubSearchQuery = (query: string, sort: HubSort) =>
  infiniteQueryOptions({
    queryKey: ['local-models', 'search', query, sort],
    queryFn: ({ signal, pageParam }) =>
      api.get('/hub/search', { query: { query: query || undefined, sort, limit: PAGE, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });

/** Its model card, and the files of the current revision. */
export const repositoryQuery = (repo: string) =>
  queryOptions({
    queryKey: ['local-models', 'repository', repo],
    queryFn: ({ signal }) => api.get('/hub/repo', { query: { repo }, signal }),
    staleTime: 300_000,
  });

export const modelFilesQuery = (repo: string, revision: string) =>
  queryOptions({
    queryKey: ['local-models', 'files', repo, revision],
    queryFn: async ({ signal }) => (await api.get('/hub/repo', { query: { repo, revision }, signal })).files,
    staleTime: 300_000,
  });

export type Fit = Answer<'get', '/local-models/fit-estimate'>;

/** For a short chat; by default for long work with tools. */
export const CHAT_CONTEXT_TOKENS = 4_096;

/** By its size only. */
export const fitQuery = (bytes: number, contextTokens?: number) =>
  queryOptions({
    queryKey: ['local-models', 'fit', bytes, contextTokens ?? 0],
    queryFn: ({ signal }) =>
      api.get('/local-models/fit-estimate', {
        query: {
          bytes: String(bytes),
          contextTokens: contextTokens === undefined ? undefined : String(contextTokens),
        },
        signal,
      }),
    staleTime: 30_000,
  });

export const imageAddress = (url: string): string => api.address('get', '/hub/image', { query: { url } });

export const refreshModels = async (client: QueryClient): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['local-models', 'installed'] }),
    client.invalidateQueries({ queryKey: ['local-models', 'downloads'] }),
    // Model pickers show the same models.
    client.invalidateQueries({ queryKey: catalogQuery.queryKey }),
  ]);
};

export const startDownload = (manifest: ModelManifest): Promise<Download> =>
  api.post('/hub/download', { body: manifest });
export const steerDownload = (id: string, act: 'pause' | 'resume' | 'cancel'): Promise<Download> =>
  api.post(`/hub/downloads/{downloadId}/${act}`, { path: { downloadId: id } });
export const renameModel = (id: string, name: string): Promise<unknown> =>
  api.post('/local-models/{modelId}/rename', { path: { modelId: id }, body: { name } });
export const pathOfModel = async (id: string): Promise<string> =>
  (await api.post('/local-models/{modelId}/copy-path', { path: { modelId: id } })).path;
export const deleteModel = (id: string): Promise<unknown> =>
  api.post('/local-models/{modelId}/delete', { path: { modelId: id } });

export interface UploadOptions {
  onProgress(sentBytes: number): void;
  signal: AbortSignal;
}

/** Uploads a file of this computer; only XMLHttpRequest reports upload progress. Throws ApiError. */
export function sendModel(file: File, id: string, { onProgress, signal }: UploadOptions): Promise<InstalledModel> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', api.address('post', '/local-models/import'));
    const headers = {
      'accept-language': language(),
      'content-type': 'application/octet-stream',
      'x-svc-model-id': id,
      'x-svc-model-filename': encodeURIComponent(file.name),
      'x-svc-model-bytes': String(file.size),
    };
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onerror = () => reject(new ApiError(OFFLINE, { status: 0 }));
    request.onabort = () => reject(new DOMException('stopped', 'AbortError'));
    request.onload = () => {
      const answer = answerIn(request.responseText);
      if (answer.ok && answer.data) resolve(api.read('post', '/local-models/import', answer.data));
      else reject(new ApiError(answer.error?.code ?? 'INTERNAL_ERROR', { status: request.status, body: answer.error }));
    };
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

function answerIn(text: string): { ok?: boolean; data?: unknown; error?: ApiErrorBody } {
  try {
    return JSON.parse(text) as ReturnType<typeof answerIn>;
  } catch {
    return {}; // not an answer of ours: an error
  }
}
