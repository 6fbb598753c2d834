import type { Exported, ExportOptions, Library, Recheck, ResearchDetail, ResearchRow } from '@fucina/library';
import type { SessionResolver } from './session-resolver.ts';

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
  resolver,
}: {
  library: Library;
  resolver: SessionResolver;
}): SessionResearch {
  const { research } = library;
  const { resolve, inFolder } = resolver;
  return {
    read: inFolder(research.read),
    recheck: inFolder(research.recheck),
    async list(sessionId) {
      const { folder } = await resolve(sessionId);
      return library.orNull(() => research.list(folder));
    },
    async pause(sessionId, id) {
      const { folder } = await resolve(sessionId);
      await research.pause(folder, id);
      return research.read(folder, id);
    },
    async resume(sessionId, id) {
      const { folder } = await resolve(sessionId);
      await research.resume(folder, id);
      return research.read(folder, id);
    },
    async remove(sessionId, id) {
      const { folder } = await resolve(sessionId);
      const { titolo } = await research.remove(folder, id);
      return { id, title: titolo };
    },
    async exportAs(sessionId, id, as) {
      const { folder } = await resolve(sessionId);
      return library.exportResearch(await research.read(folder, id), as);
    },
  };
}
