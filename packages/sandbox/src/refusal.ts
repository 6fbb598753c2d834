import { type Environment, isTooWide, type WriteReach } from '@fucina/shared';

/**
 * A command that is not started, because its access would defeat the sandbox. The message is for the model and the
 * user.
 */
export class SandboxRefusal extends Error {
  override readonly name = 'SandboxRefusal';
}

export interface RefusalFacts {
  environment: Environment;
  dataDir: string;
  folder: string;
  writes: Exclude<WriteReach, 'anything'>;
  isSandboxed: boolean;
  /** The server serves anyone who reaches its port. */
  isWithoutToken?: boolean;
}

/** Why a command of this session may not run; undefined if it may. */
export function refusalOf(facts: RefusalFacts): string | undefined {
  const { environment, dataDir, folder, writes, isSandboxed, isWithoutToken } = facts;
  if (writes === 'folder' && isTooWide(folder, environment, dataDir)) {
    return `Commands are not run in ${folder}: the folder contains your home folder or Fucina's data, and a command could change both. Open a project folder instead, or choose Full access.`;
  }
  if (!isSandboxed && isWithoutToken) {
    return 'Commands are not run: this server has no access token and no sandbox, so a command could control Fucina through its own port. Start Fucina with a token, or install bubblewrap.';
  }
  return undefined;
}
