import { PageError, type PageReader } from '@fucina/browser';
import type { Library, LibraryNeeds } from '@fucina/library';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { type ExternalTurn, isAppError, type ModelClient } from '@fucina/shared';

interface ResearchParts {
  providers(): Providers;
  pages(): PageReader;
  sessions(): Sessions;
}

/** What research needs from other domains: a model, a search source, pages, and a session to run in. */
export function researchNeeds({ providers, pages, sessions }: ResearchParts): LibraryNeeds['research'] {
  return {
    client: { stream: (request, signal) => providers().client.stream(request, signal) },
    async search(query, maxResults, signal) {
      const found = await providers().search.find({ query, maxResults, signal });
      return found.map(({ url, title, snippet }) => ({ url, title, snippet, publishedAt: null }));
    },
    async readPage(url, signal) {
      try {
        return await pages().read(url, signal);
      } catch (error) {
        if (error instanceof PageError) return undefined;
        throw error;
      }
    },
    startSession: (order) => sessions().startResearch(order),
    async sessionState(id) {
      try {
        const { isConcluded, isInterrupted } = await sessions().read(id);
        if (isInterrupted) return 'interrupted';
        return isConcluded ? 'closed' : 'running';
      } catch (error) {
        if (isAppError(error, 'NOT_FOUND')) return undefined;
        throw error;
      }
    },
    async goOn(id) {
      const { isInterrupted, settings } = await sessions().read(id);
      const message = settings.language === 'en' ? 'Go on with the research.' : 'Continua la ricerca.';
      await sessions().turns.resume(id, isInterrupted ? undefined : { message });
    },
    stop: (id) => sessions().turns.stop(id),
  };
}

interface AnsweringParts {
  providers(): Providers;
  library(): Library;
  sessions(): Pick<Sessions, 'read'>;
}

/** The model of a session; while a research run is in progress in it, the engine that runs it. */
export function answeringModel({ providers, library, sessions }: AnsweringParts): ModelClient {
  /** The level is known without disk access; only then checks whether the run has ended. */
  const isResearch = async ({ folder, sessionId }: ExternalTurn): Promise<boolean> => {
    const { settings } = await sessions().read(sessionId);
    return settings.permissions === 'Research' && library().research.isUnderWay(folder, sessionId);
  };
  return {
    async *stream(request, signal) {
      const { external } = request;
      const isEngine = external !== undefined && (await isResearch(external));
      yield* isEngine ? library().research.stream(request, signal) : providers().client.stream(request, signal);
    },
  };
}
