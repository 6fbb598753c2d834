import type { Sessions } from '@fucina/sessions';

/** Functions that take a folder first, rebound to a session. */
export type BySession<Part> = {
  [Name in keyof Part]: Part[Name] extends (folder: string, ...rest: infer Rest) => Promise<infer Result>
    ? (sessionId: string, ...rest: Rest) => Promise<Result>
    : never;
};

/** Guards functions of other domains: an unknown session is NOT_FOUND. */
export interface SessionGuard {
  /** Replaces the session by its folder. */
  inFolder<Part extends object>(part: Part): BySession<Part>;
  /** Passes the session's id. */
  ofKnown<Part extends object>(part: Part): BySession<Part>;
}

type Act = (first: string, ...rest: unknown[]) => unknown;

export function createSessionGuard(sessions: () => Pick<Sessions, 'folderOf'>): SessionGuard {
  const guarded = <Part extends object>(part: Part, firstOf: (sessionId: string, folder: string) => string) =>
    Object.fromEntries(
      Object.entries(part).map(([name, act]: [string, Act]) => [
        name,
        async (sessionId: string, ...rest: unknown[]) =>
          act(firstOf(sessionId, await sessions().folderOf(sessionId)), ...rest),
      ]),
    ) as BySession<Part>;
  return {
    inFolder: (part) => guarded(part, (_sessionId, folder) => folder),
    ofKnown: (part) => guarded(part, (sessionId) => sessionId),
  };
}
