import type { Sessions } from '@fucina/sessions';

/** A part whose functions take a folder first, for callers who know the session instead. */
export type BySession<Part> = {
  [Name in keyof Part]: Part[Name] extends (folder: string, ...rest: infer Rest) => Promise<infer Result>
    ? (sessionId: string, ...rest: Rest) => Promise<Result>
    : never;
};

/** Stands in front of the parts of other domains: whatever is asked of a session that is not there is NOT_FOUND. */
export interface SessionGuard {
  /** Each function gets the folder of the session in the place of the session. */
  inFolder<Part extends object>(part: Part): BySession<Part>;
  /** Each function takes the session's id itself. */
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
