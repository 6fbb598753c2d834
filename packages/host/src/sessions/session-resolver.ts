import type { Sessions } from '@fucina/sessions';

/** What the wiring of the domains gets to know of a session. */
export interface SessionContext {
  sessionId: string;
  /** Absolute and real. */
  folder: string;
  /** null: none was chosen. */
  model(): Promise<string | null>;
}

type ForSession = <Rest extends unknown[], Result>(
  act: (first: string, ...rest: Rest) => Promise<Result>,
) => (sessionId: string, ...rest: Rest) => Promise<Result>;

/** The one place where a session's id becomes what other domains act on. An unknown session is NOT_FOUND. */
export interface SessionResolver {
  resolve(sessionId: string): Promise<SessionContext>;
  /** Gives the session's folder to a function that takes a folder first. */
  inFolder: ForSession;
  /** Gives the id of a session that exists to a function that takes it first. */
  ofKnown: ForSession;
}

export function createSessionResolver(sessions: () => Pick<Sessions, 'folderOf' | 'read'>): SessionResolver {
  const resolve = async (sessionId: string): Promise<SessionContext> => ({
    sessionId,
    folder: await sessions().folderOf(sessionId),
    model: async () => (await sessions().read(sessionId)).settings.model,
  });
  return {
    resolve,
    inFolder:
      (act) =>
      async (sessionId, ...rest) =>
        act((await resolve(sessionId)).folder, ...rest),
    ofKnown:
      (act) =>
      async (sessionId, ...rest) =>
        act((await resolve(sessionId)).sessionId, ...rest),
  };
}
