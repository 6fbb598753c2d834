import type { Git, MessageRequest, SuggestedMessage } from '@fucina/git';
import type { Providers } from '@fucina/providers';
import { askModel } from './ask-model.ts';
import type { SessionResolver } from './session-resolver.ts';

/** Functions that take a folder first, for a session. */
type BySession<Part> = {
  [Name in keyof Part]: Part[Name] extends (folder: string, ...rest: infer Rest) => Promise<infer Result>
    ? (sessionId: string, ...rest: Rest) => Promise<Result>
    : never;
};

export interface SuggestRequest extends Pick<MessageRequest, 'draft' | 'language'> {
  signal: AbortSignal;
}

/** git in any folder (absolute real path), without a session. */
export interface FolderGit {
  readonly reading: Git['reading'];
  readonly staging: Git['staging'];
  readonly commits: Omit<Git['commits'], 'suggest'>;
  readonly programs: Git['programs'];
  /** With that model. Codes as in `SessionGit`. */
  suggestMessage(folder: string, request: SuggestRequest & { model: string | null }): Promise<SuggestedMessage>;
}

/** git in a session's folder. NOT_FOUND for an unknown session. */
export interface SessionGit {
  readonly reading: BySession<Git['reading']>;
  readonly staging: BySession<Git['staging']>;
  readonly commits: BySession<Omit<Git['commits'], 'suggest'>>;
  readonly branches: BySession<Git['branches']>;
  readonly stashes: BySession<Git['stashes']>;
  readonly remotes: BySession<Git['remotes']>;
  readonly programs: BySession<Git['programs']>;
  readonly pulls: BySession<Git['pulls']>;
  /** The user's, independent of the session. */
  readonly codeHost: Git['codeHost'];
  /**
   * With the session's model. Throws SESSION_MODEL_UNKNOWN, PROVIDER_KEY_REQUIRED, RUNTIME_NOT_AVAILABLE,
   * MODEL_CALL_FAILED.
   */
  suggestMessage(sessionId: string, request: SuggestRequest): Promise<SuggestedMessage>;
}

interface FolderGitNeeds {
  git: Git;
  providers(): Providers;
}

interface SessionGitNeeds extends FolderGitNeeds {
  resolver: SessionResolver;
}

const MAX_OUTPUT_TOKENS = 2000;

export function createSessionGit({ git, resolver, providers }: SessionGitNeeds): SessionGit {
  const folders = createFolderGit({ git, providers });
  return {
    ...readingOf(git, resolver),
    ...changesOf(git, resolver),
    ...remotesOf(git, resolver),
    codeHost: git.codeHost,
    async suggestMessage(sessionId, request) {
      const { folder, model } = await resolver.resolve(sessionId);
      return folders.suggestMessage(folder, { ...request, model: await model() });
    },
  };
}

function readingOf(
  { reading, programs }: Git,
  { inFolder }: SessionResolver,
): Pick<SessionGit, 'reading' | 'programs'> {
  return {
    reading: {
      state: inFolder(reading.state),
      branch: inFolder(reading.branch),
      diff: inFolder(reading.diff),
      history: inFolder(reading.history),
      changes: inFolder(reading.changes),
      changesDiff: inFolder(reading.changesDiff),
      branchPoint: inFolder(reading.branchPoint),
      branchPointDiff: inFolder(reading.branchPointDiff),
    },
    programs: {
      read: inFolder(programs.read),
      trustFilter: inFolder(programs.trustFilter),
      chooseHook: inFolder(programs.chooseHook),
      hookRuns: inFolder(programs.hookRuns),
      stopHook: inFolder(programs.stopHook),
      followHooks: inFolder(programs.followHooks),
    },
  };
}

type Changes = Pick<SessionGit, 'staging' | 'commits' | 'branches' | 'stashes'>;

function changesOf({ staging, commits, branches, stashes }: Git, { inFolder }: SessionResolver): Changes {
  return {
    staging: {
      stage: inFolder(staging.stage),
      stageWithMarkers: inFolder(staging.stageWithMarkers),
      unstage: inFolder(staging.unstage),
      discard: inFolder(staging.discard),
      hunk: inFolder(staging.hunk),
      discards: inFolder(staging.discards),
      undoDiscard: inFolder(staging.undoDiscard),
    },
    commits: {
      paths: inFolder(commits.paths),
      staged: inFolder(commits.staged),
      amend: inFolder(commits.amend),
      undo: inFolder(commits.undo),
      init: inFolder(commits.init),
    },
    branches: {
      list: inFolder(branches.list),
      switch: inFolder(branches.switch),
      create: inFolder(branches.create),
      rename: inFolder(branches.rename),
      delete: inFolder(branches.delete),
    },
    stashes: {
      list: inFolder(stashes.list),
      push: inFolder(stashes.push),
      pop: inFolder(stashes.pop),
      drop: inFolder(stashes.drop),
    },
  };
}

function remotesOf({ remotes, pulls }: Git, { inFolder }: SessionResolver): Pick<SessionGit, 'remotes' | 'pulls'> {
  return {
    remotes: {
      list: inFolder(remotes.list),
      sync: inFolder(remotes.sync),
      fetch: inFolder(remotes.fetch),
      stopFetch: inFolder(remotes.stopFetch),
      pull: inFolder(remotes.pull),
      push: inFolder(remotes.push),
    },
    pulls: {
      list: inFolder(pulls.list),
      checks: inFolder(pulls.checks),
      draft: inFolder(pulls.draft),
      create: inFolder(pulls.create),
    },
  };
}

export function createFolderGit({ git, providers }: FolderGitNeeds): FolderGit {
  const { suggest, ...commits } = git.commits;
  return {
    reading: git.reading,
    staging: git.staging,
    commits,
    programs: git.programs,
    suggestMessage(folder, { signal, model, ...request }) {
      const ask: MessageRequest['ask'] = (question) =>
        askModel(providers(), model, {
          ...question,
          signal,
          maxOutputTokens: MAX_OUTPUT_TOKENS,
          purpose: 'commit-message',
        });
      return suggest(folder, { ...request, ask });
    },
  };
}
