import type { Ambient } from '@fucina/shared';
import { checkName } from '../changing/branches.ts';
import { hostError } from '../errors.ts';
import type { GitFolder } from '../repository/git-folder.ts';
import { type HostAccess, NO_ACCESS, readAccess } from './access.ts';
import { askingGit, type HostedBranch, hostedBranch } from './branch.ts';
import type { Checks } from './checks.ts';
import { draftPull, MAX_TEXT, MAX_TITLE, type PullDraft, remoteBranches } from './draft.ts';
import { createInstalls, type Installing, type InstallNeeds } from './install.ts';
import {
  createPull,
  defaultBranchOf,
  listPulls,
  type NewPull,
  type PullList,
  type PullState,
  pullChecks,
} from './pulls.ts';
import { createSignIns, type SignIn } from './sign-in.ts';
import { createHostTool, type ToolNeeds, type ToolVersion } from './tool.ts';

export interface HostStatus {
  /** Undefined when there is none. */
  tool: ToolVersion | undefined;
  access: HostAccess;
  signIn: SignIn;
  /** The version that can be installed here, or undefined. */
  installable: string | undefined;
  installing: Installing;
}

/** The code host, through its official program (gh); its token is never read. */
export interface CodeHost {
  status(): Promise<HostStatus>;
  /** Resolves with a code to enter. Codes at `SignIns`, and HOST_NOT_INSTALLED. */
  signIn(): Promise<SignIn>;
  cancelSignIn(): Promise<boolean>;
  /** Installs our own copy of gh. Codes of `Installs`, and of running the installed program. */
  install(): Promise<ToolVersion | undefined>;
}

/**
 * Pull requests of a folder's repository. All throw GIT_DETACHED, GIT_NO_REMOTE, HOST_GIT_FAILED, HOST_NOT_ON_HOST,
 * HOST_NOT_INSTALLED, HOST_NOT_LOGGED_IN, HOST_COMMAND_FAILED, HOST_OUTPUT_INVALID, HOST_OUTPUT_TOO_LARGE,
 * HOST_TIMEOUT, HOST_STORE_UNAVAILABLE, NOT_FOUND, and the codes listed at each.
 */
export interface PullRequests {
  list(folder: string): Promise<HostedBranch & PullList>;
  /** NOT_FOUND also for an invalid number. */
  checks(folder: string, number: number): Promise<{ number: number; state: PullState; checks: Checks }>;
  /** GIT_BRANCH_INVALID. */
  draft(folder: string, base: string | undefined): Promise<HostedBranch & PullDraft & { defaultBranch: string | null }>;
  /** HOST_INPUT_INVALID, HOST_BASE_UNKNOWN, HOST_BRANCH_NOT_PUSHED. */
  create(folder: string, pull: NewPull): Promise<HostedBranch & NewPull & { number: number; url: string }>;
}

type AtPlace = <T>(folder: string, act: (place: GitFolder) => Promise<T>) => Promise<T>;

export interface CodeHostNeeds extends Omit<ToolNeeds, 'ownProgram'> {
  ambient: Ambient;
  at: AtPlace;
  /** Absent: nothing can be installed. */
  install?: Omit<InstallNeeds, 'ambient'>;
}

export function createCodeHost({ install, ...needs }: CodeHostNeeds): { host: CodeHost; pulls: PullRequests } {
  const installs = install && createInstalls({ ...install, ambient: needs.ambient });
  const tool = createHostTool({ ...needs, ownProgram: installs?.program });
  const signIns = createSignIns({ ambient: needs.ambient, tool });
  const asking = <T>(folder: string, act: (place: GitFolder) => Promise<T>): Promise<T> =>
    askingGit(() => needs.at(folder, act));
  /** Checked with git first, which is cheapest. */
  const ready = async (folder: string): Promise<HostedBranch> => {
    const hosted = await asking(folder, hostedBranch);
    await tool.require();
    return hosted;
  };
  return {
    host: {
      async status() {
        const version = await tool.version();
        const access = version ? await readAccess(tool) : NO_ACCESS;
        const installing = installs?.current() ?? { isRunning: false, error: null };
        return { tool: version, access, signIn: signIns.current(), installable: installs?.version, installing };
      },
      signIn: () => signIns.start(),
      cancelSignIn: () => signIns.cancel(),
      async install() {
        if (!installs) throw hostError('HOST_UNSUPPORTED_PLATFORM');
        await installs.install();
        return tool.version();
      },
    },
    pulls: {
      async list(folder) {
        const hosted = await ready(folder);
        return { ...hosted, ...(await listPulls(tool, hosted)) };
      },
      checks: async (folder, number) => pullChecks(tool, await ready(folder), number),
      async draft(folder, chosen) {
        if (chosen !== undefined) await asking(folder, (place) => checkName(place, chosen));
        const hosted = await ready(folder);
        const defaultBranch = await defaultBranchOf(tool, hosted);
        const draft = await asking(folder, (place) => draftPull(place, hosted, { chosen, defaultBranch }));
        return { ...hosted, ...draft, defaultBranch };
      },
      async create(folder, pull) {
        const title = pull.title.trim();
        const isFine =
          title !== '' && title.length <= MAX_TITLE && pull.text.length <= MAX_TEXT && !/[\0\n]/.test(title);
        if (!isFine) throw hostError('HOST_INPUT_INVALID');
        const hosted = await asking(folder, hostedBranch);
        if (!hosted.isPublished) throw hostError('HOST_BRANCH_NOT_PUSHED');
        const bases = await asking(folder, (place) => remoteBranches(place, hosted.remote));
        if (!bases.includes(pull.base)) throw hostError('HOST_BASE_UNKNOWN');
        await tool.require();
        const made = await createPull(tool, hosted, { ...pull, title });
        return { ...hosted, ...pull, title, ...made };
      },
    },
  };
}
