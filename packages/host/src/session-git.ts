import type { Git } from '@fucina/git';
import type { Sessions } from '@fucina/sessions';

type OfFolder<Part> = {
  [Name in keyof Part]: Part[Name] extends (folder: string, ...rest: infer Rest) => infer Result
    ? (sessionId: string, ...rest: Rest) => Result
    : never;
};

/** git in a session's folder: sessions knows which folder, git knows what is in it. NOT_FOUND for a session that is not there. */
export interface SessionGit {
  readonly reading: OfFolder<Git['reading']>;
}

export function createSessionGit({ git, sessions }: { git: Git; sessions: Sessions }): SessionGit {
  /** Each function of a part takes a folder first: here it takes the session instead. */
  const ofSession = <Part extends object>(part: Part): OfFolder<Part> =>
    Object.fromEntries(
      Object.entries(part).map(([name, act]: [string, (folder: string, ...rest: unknown[]) => Promise<unknown>]) => [
        name,
        async (sessionId: string, ...rest: unknown[]) => act(await sessions.folderOf(sessionId), ...rest),
      ]),
    ) as OfFolder<Part>;
  return { reading: ofSession(git.reading) };
}
