import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { address, read, send, WireError } from './call.ts';
import type {
  Catalog,
  ChildAgents,
  CompactionPolicy,
  DoctorReport,
  FolderListing,
  FolderPortrait,
  FrequentFolder,
  InstructionSource,
  Metrics,
  PendingCard,
  Processes,
  ProcessRow,
  Project,
  ProviderRow,
  SessionRow,
  SessionSettings,
  SetupState,
  SlashCommand,
  TaskTemplate,
  ToolFacts,
  TreeEntry,
  TreeFile,
} from './records.ts';

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        refetchOnWindowFocus: true,
        // A refusal would be repeated; only a lost connection is retried.
        retry: (count, error) => error instanceof WireError && error.code === 'OFFLINE' && count < 2,
      },
    },
  });
}

const LIVE_POLL_MS = 2_500;
const IDLE_POLL_MS = 10_000;

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await read<{ items: SessionRow[] }>(address(['sessions']), signal)).items,
  refetchInterval: ({ state }) =>
    state.data?.some((row) => !row.conclusa && !row.interrotta) ? LIVE_POLL_MS : IDLE_POLL_MS,
  // The page title of a background tab shows waiting sessions.
  refetchIntervalInBackground: true,
});

/** Sessions with matching messages, with locations; ignores accents and case. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: async ({ signal }) =>
      (await read<{ items: SessionRow[] }>(address(['sessions']), signal, { 'x-svc-cerca': encodeURIComponent(text) }))
        .items,
    placeholderData: keepPreviousData,
  });

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => read<SetupState>(address(['setup', 'stato']), signal),
});

export const doctorQuery = queryOptions({
  queryKey: ['doctor'],
  queryFn: ({ signal }) => read<DoctorReport>(address(['doctor']), signal),
});

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await read<{ items: Project[] }>(address(['projects']), signal)).items,
});

export const frequentQuery = queryOptions({
  queryKey: ['frequent'],
  queryFn: async ({ signal }) => (await read<{ items: FrequentFolder[] }>(address(['frequent-dirs']), signal)).items,
});

export const browserQuery = (path: string | undefined) =>
  queryOptions({
    queryKey: ['browser', path ?? ''],
    queryFn: ({ signal }) => read<FolderListing>(address(['workspace-browser'], { path }), signal),
  });

export const portraitQuery = (path: string) =>
  queryOptions({
    queryKey: ['portrait', path],
    queryFn: ({ signal }) => read<FolderPortrait>(address(['workspace-info'], { path }), signal),
  });

export const catalogQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => read<Catalog>(address(['models']), signal),
  staleTime: 300_000,
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: async ({ signal }) => (await read<{ items: ProviderRow[] }>(address(['providers']), signal)).items,
});

/** `owner` is `sessions` or `projects`. */
export const treeQuery = (owner: 'sessions' | 'projects', id: string, path: string) =>
  queryOptions({
    queryKey: ['tree', owner, id, path],
    queryFn: async ({ signal }) =>
      (await read<{ voci: TreeEntry[] }>(address([owner, id, 'tree'], { percorso: path || undefined }), signal)).voci,
  });

export const fileQuery = (sessionId: string, path: string) =>
  queryOptions({
    queryKey: ['file', sessionId, path],
    queryFn: ({ signal }) =>
      read<TreeFile>(address(['sessions', sessionId, 'tree', 'file'], { percorso: path }), signal),
  });

export const processesQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['processes', sessionId],
    queryFn: ({ signal }) => read<Processes>(address(['sessions', sessionId, 'processes']), signal),
  });

export const isProcessLive = ({ esito }: ProcessRow): boolean => esito === 'in-corso' || esito === 'in-sfondo';

export const metricsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['metrics', sessionId],
    queryFn: ({ signal }) => read<Metrics>(address(['sessions', sessionId, 'metrics']), signal),
  });

/** The pending request of a session that is not on screen. */
export const pendingQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['pending', sessionId],
    queryFn: async ({ signal }) =>
      (await read<{ pending: PendingCard | null }>(address(['sessions', sessionId, 'pending']), signal)).pending,
    refetchInterval: LIVE_POLL_MS,
    staleTime: 0,
  });

export const sessionToolsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['tools', sessionId],
    queryFn: ({ signal }) =>
      read<{ attrezzi: ToolFacts[] | null; comandi: SlashCommand[] }>(
        address(['sessions', sessionId, 'tools']),
        signal,
      ),
    staleTime: 60_000,
  });

export const childrenQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['children', sessionId],
    queryFn: async ({ signal }) =>
      (await read<{ figli: ChildAgents }>(address(['sessions', sessionId, 'children']), signal)).figli,
    refetchInterval: ({ state }) =>
      state.data?.some(({ conclusa, interrotta }) => !conclusa && !interrotta) ? LIVE_POLL_MS : false,
  });

export const compactionPolicyQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['compaction-policy', sessionId],
    queryFn: ({ signal }) => read<CompactionPolicy>(address(['sessions', sessionId, 'compaction-policy']), signal),
  });

export const instructionsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['instructions', sessionId],
    queryFn: ({ signal }) =>
      read<{ istruzioni: InstructionSource[] }>(address(['ext', 'sessions', sessionId, 'istruzioni']), signal),
  });

export const commandSettingsQuery = (sessionId: string) =>
  queryOptions({
    queryKey: ['command-settings', sessionId],
    queryFn: ({ signal }) =>
      read<{ comandiNellaConversazione: boolean }>(address(['sessions', sessionId, 'impostazioni-comandi']), signal),
  });

/** Their texts are in the language of the request. */
export const tasksQuery = (language: string) =>
  queryOptions({
    queryKey: ['tasks', language],
    queryFn: async ({ signal }) => (await read<{ items: TaskTemplate[] }>(address(['tasks']), signal)).items,
    staleTime: 300_000,
  });

/** Posts to an operation of one session and refreshes the list of sessions afterwards in every case. */
export function useSessionAction<Body = void, Answer = unknown>(
  sessionId: string,
  ...path: string[]
): UseMutationResult<Answer, Error, Body> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Body) => send<Answer>(address(['sessions', sessionId, ...path]), body),
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}

/** Forks the session, and opens the copy. */
export function useFork(sessionId: string): UseMutationResult<{ sessionId: string }, Error, void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: () => send<{ sessionId: string }>(address(['sessions', sessionId, 'fork'])),
    onSuccess: async (made) => {
      await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
      await navigate(`/sessions/${made.sessionId}`);
    },
  });
}

/** Changes preferences optimistically; reverts them when the server refuses. */
export function useSettings(sessionId: string): UseMutationResult<{ nonUniti?: string[] }, Error, SessionSettings> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: SessionSettings) => send(address(['sessions', sessionId, 'settings']), body),
    onMutate: async ({ modello, reasoning, permessi, permessiPerAttrezzo, modalitaOperativa }) => {
      await client.cancelQueries({ queryKey: sessionsQuery.queryKey });
      const chosen = {
        ...(modello ? { modello } : {}),
        ...(reasoning ? { reasoning } : {}),
        ...(permessi ? { permessi } : {}),
        ...(permessiPerAttrezzo ? { permessiPerAttrezzo } : {}),
        ...(modalitaOperativa ? { modalitaOperativa } : {}),
      };
      client.setQueryData(sessionsQuery.queryKey, (rows) =>
        rows?.map((row) => (row.sessionId === sessionId ? { ...row, ...chosen } : row)),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: sessionsQuery.queryKey }),
  });
}
