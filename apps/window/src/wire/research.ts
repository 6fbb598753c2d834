import type { components } from '@fucina/wire-types';
import { queryOptions } from '@tanstack/react-query';
import { address, erase, read, readEnvelope, send } from './call.ts';

type Schemas = components['schemas'];
export type ResearchRow = Schemas['Research'];
export type Research = Schemas['ResearchDetail'];
export type ResearchState = ResearchRow['stato'];
export type Balance = Schemas['ResearchBalance'];
export type Claim = Research['affermazioni'][number];
export type Verdict = Claim['verdetto'];
export type Source = Research['sources'][number];
export type Step = Research['passi'][number];
export type Spend = Step['spesa'];

export interface Recheck {
  controllate: number;
  cambiate: number;
  bilancio: Balance;
  alle: string;
}

export const EXPORTS = ['md', 'html', 'pdf', 'docx', 'json', 'bib', 'ris', 'fonti'] as const;
export type ExportFormat = (typeof EXPORTS)[number];
export const TONES = ['report', 'brief', 'dossier'] as const;
export type Tone = (typeof TONES)[number];

const POLL_MS = 2_000;
/** Paused runs may be resumed from their conversation, or by an agent. */
const RESTING_POLL_MS = 10_000;

const partsOf = (sessionId: string, ...more: string[]): string[] => ['sessions', sessionId, 'research', ...more];

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
      const { ricerche, totale, errore } = await read<{
        ricerche: ResearchRow[] | null;
        totale: number;
        errore: string | null;
      }>(address(partsOf(sessionId)), signal);
      return { rows: ricerche ?? [], total: totale, problem: ricerche ? undefined : (errore ?? '') };
    },
    refetchInterval: ({ state }) =>
      isExpected || state.data?.rows.some(({ stato }) => stato === 'running') ? POLL_MS : false,
  });

export const researchQuery = (sessionId: string, id: string) =>
  queryOptions({
    queryKey: ['research', sessionId, id],
    queryFn: async ({ signal }) => (await read<{ ricerca: Research }>(address(partsOf(sessionId, id)), signal)).ricerca,
    refetchInterval: ({ state }) =>
      state.data?.stato === 'running' ? POLL_MS : state.data?.stato === 'paused' && RESTING_POLL_MS,
  });

export const pauseResearch = (sessionId: string, id: string): Promise<unknown> =>
  send(address(partsOf(sessionId, id, 'pausa')));

/** Stops the turn of its session: the current step is aborted, and restarted when resumed. */
export const stopResearch = (id: string): Promise<unknown> => send(address(['sessions', id, 'stop']));

export const resumeResearch = (sessionId: string, id: string): Promise<unknown> =>
  send(address(partsOf(sessionId, id, 'ripresa')));

export const recheckResearch = async (sessionId: string, id: string): Promise<Recheck> =>
  (await send<{ riverifica: Recheck }>(address(partsOf(sessionId, id, 'riverifica')))).riverifica;

export const deleteResearch = (sessionId: string, id: string): Promise<unknown> =>
  erase(address(partsOf(sessionId, id)));

export interface Export {
  formato: ExportFormat;
  /** Of a pdf. */
  tono?: Tone;
}

/** Exports the report in the window's language, with the server's file name. Throws WireError. */
export async function exportResearch(
  sessionId: string,
  id: string,
  { formato, tono }: Export,
): Promise<{ blob: Blob; name: string }> {
  const response = await readEnvelope(address(partsOf(sessionId, id, 'esporta'), { formato, tono }));
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { blob: await response.blob(), name: name ? decodeURIComponent(name) : `${id}.${formato}` };
}
