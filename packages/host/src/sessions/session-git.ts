import type { Git, MessageRequest, SuggestedMessage } from '@fucina/git';
import type { Providers } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { askModel } from './ask-model.ts';
import { type BySession, createSessionGuard } from './session-guard.ts';

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

/** git in a session's folder: sessions knows the folder, git reads it. NOT_FOUND for an unknown session. */
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
  sessions: Sessions;
}

const MAX_OUTPUT_TOKENS = 2000;

export function createSessionGit({ git, sessions, providers }: SessionGitNeeds): SessionGit {
  const { inFolder } = createSessionGuard(() => sessions);
  const folders = createFolderGit({ git, providers });
  return {
    reading: inFolder(git.reading),
    staging: inFolder(git.staging),
    commits: inFolder(folders.commits),
    branches: inFolder(git.branches),
    stashes: inFolder(git.stashes),
    remotes: inFolder(git.remotes),
    programs: inFolder(git.programs),
    pulls: inFolder(git.pulls),
    codeHost: git.codeHost,
    async suggestMessage(sessionId, request) {
      const folder = await sessions.folderOf(sessionId);
      const { model } = (await sessions.read(sessionId)).settings;
      return folders.suggestMessage(folder, { ...request, model });
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
