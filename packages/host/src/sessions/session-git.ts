import type { Git, MessageRequest, SuggestedMessage } from '@fucina/git';
import { type Providers, parseModelId } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { defineErrors, isAppError, type ModelFailure } from '@fucina/shared';
import { type BySession, createSessionGuard } from './session-guard.ts';

export interface SuggestRequest extends Pick<MessageRequest, 'draft' | 'language'> {
  signal: AbortSignal;
}

/** git in any folder (absolute real path), without a session. */
export interface FolderGit {
  readonly reading: Git['reading'];
  readonly commits: Omit<Git['commits'], 'suggest'>;
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
const modelError = defineErrors(
  'MODEL_CALL_FAILED',
  'SESSION_MODEL_UNKNOWN',
  'RUNTIME_NOT_AVAILABLE',
  'PROVIDER_KEY_REQUIRED',
);

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
    commits,
    suggestMessage(folder, { signal, model, ...request }) {
      const ask: MessageRequest['ask'] = (question) => askModel(providers(), model, { ...question, signal });
      return suggest(folder, { ...request, ask });
    },
  };
}

async function askModel(
  { client }: Providers,
  model: string | null,
  { system, text, signal }: { system: string; text: string; signal: AbortSignal },
): Promise<{ text: string; model: string }> {
  const known = checkedModel(model);
  const request = {
    model: known,
    system: [system],
    messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    tools: [],
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  };
  let said = '';
  for await (const events of client.stream(request, signal)) {
    for (const event of events) {
      if (event.type === 'failure') throw failureOf(event.failure);
      if (event.type === 'text') said += event.delta;
    }
  }
  if (said.trim() === '') throw modelError('MODEL_CALL_FAILED', { reason: 'empty-answer' });
  return { text: said, model: known };
}

function checkedModel(model: string | null): string {
  if (model === null) throw modelError('SESSION_MODEL_UNKNOWN', { reason: 'no-model' });
  try {
    parseModelId(model);
    return model;
  } catch (cause) {
    if (isAppError(cause)) throw modelError('SESSION_MODEL_UNKNOWN', { cause });
    throw cause;
  }
}

function failureOf({ code, class: failureClass, providerMessage }: ModelFailure): Error {
  const details = { code, class: failureClass };
  if (code === 'RUNTIME_NOT_AVAILABLE' || code === 'PROVIDER_KEY_REQUIRED') return modelError(code, { details });
  return modelError('MODEL_CALL_FAILED', {
    reason: failureClass,
    details,
    ...(providerMessage !== undefined && { params: { providerMessage } }),
  });
}
