import type { Exported, ExportOptions, Library, Recheck, ResearchDetail, ResearchRow } from '@fucina/library';
import type { Sessions } from '@fucina/sessions';
import { createSessionGuard } from './session-guard.ts';

/** The research reports of a session's project. Unknown sessions are NOT_FOUND; other codes as in `ResearchRuns`. */
export interface SessionResearch {
  /** null, never empty, when they cannot be read. */
  list(sessionId: string): Promise<{ rows: ResearchRow[]; total: number } | null>;
  read(sessionId: string, id: string): Promise<ResearchDetail>;
  pause(sessionId: string, id: string): Promise<ResearchDetail>;
  resume(sessionId: string, id: string): Promise<ResearchDetail>;
  recheck(sessionId: string, id: string): Promise<Recheck>;
  remove(sessionId: string, id: string): Promise<{ id: string; title: string | null }>;
  exportAs(sessionId: string, id: string, as: ExportOptions): Promise<Exported>;
}

export function createSessionResearch({
  library,
  sessions,
}: {
  library: Library;
  sessions: Sessions;
}): SessionResearch {
  const { research } = library;
  const folderOf = (sessionId: string): Promise<string> => sessions.folderOf(sessionId);
  const { read, recheck } = research;
  return {
    ...createSessionGuard(() => sessions).inFolder({ read, recheck }),
    async list(sessionId) {
      const folder = await folderOf(sessionId);
      return library.orNull(() => research.list(folder));
    },
    async pause(sessionId, id) {
      const folder = await folderOf(sessionId);
      await research.pause(folder, id);
      return research.read(folder, id);
    },
    async resume(sessionId, id) {
      const folder = await folderOf(sessionId);
      await research.resume(folder, id);
      return research.read(folder, id);
    },
    async remove(sessionId, id) {
      const { titolo } = await research.remove(await folderOf(sessionId), id);
      return { id, title: titolo };
    },
    exportAs: async (sessionId, id, as) =>
      library.exportResearch(await research.read(await folderOf(sessionId), id), as),
  };
}
