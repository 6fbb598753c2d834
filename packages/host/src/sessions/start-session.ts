import type { Files } from '@fucina/files';
import type { FallbackProvider, ImageChoice, SessionHeader, SessionSettings, Sessions } from '@fucina/sessions';
import type { OperatingMode, ReasoningChoice, SelectablePermissionLevel, ToolPermissions } from '@fucina/shared';
import type { DefaultModel } from './default-model.ts';

/** What a client may choose for any new session. */
export interface SessionChoices {
  client?: 'desktop' | 'mobile';
  model?: string;
  plannerModel?: string;
  reasoning?: ReasoningChoice;
  permissions?: SelectablePermissionLevel;
  toolPermissions?: ToolPermissions;
  mode?: OperatingMode;
  fallbackProviders?: readonly FallbackProvider[];
  language?: 'it' | 'en';
}

/** What a client gives to start a free session; exactly one of the three ways to name the folder. */
export interface StartRequest extends SessionChoices {
  projectId?: string;
  folder?: string;
  launchId?: string;
  message: string;
  /** A command of the user's own in the place of the message: no turn begins before they say something. */
  command?: string;
  testCommand?: string;
  images?: readonly ImageChoice[];
  bubble?: Record<string, unknown>;
  /** A new UUID, where a client had to name the session before its first message; default: one of ours. */
  sessionId?: string | undefined;
  /** Fewer model calls than the first turn may make at most. */
  maxModelCalls?: number | undefined;
}

export interface StartNeeds {
  files: Pick<Files, 'workspace'>;
  sessions: Pick<Sessions, 'create'>;
  detectTestCommand(folder: string): Promise<string | undefined>;
  /** Counts one use of the folder, for the lists people choose from. */
  noteUse(folder: string): Promise<void>;
  defaultModel: DefaultModel;
}

/** Folder first (files), then the session (sessions): the one place that knows both. */
export async function startSession(request: StartRequest, needs: StartNeeds): Promise<{ sessionId: string }> {
  const settings = await settingsOf(request, needs.defaultModel);
  const folder = await chooseFolder(request, needs);
  const session = await needs.sessions.create({
    folder,
    input:
      request.command === undefined
        ? { message: request.message, images: request.images, bubble: request.bubble }
        : { command: request.command },
    testCommand: request.testCommand ?? (await needs.detectTestCommand(folder.folder)) ?? null,
    client: request.client ?? 'desktop',
    settings,
    sessionId: request.sessionId,
    maxModelCalls: request.maxModelCalls,
  });
  await needs.noteUse(folder.folder);
  return session;
}

/** MODEL_ID_INVALID when no model is chosen and there is no default. */
export async function settingsOf(choices: SessionChoices, defaultModel: DefaultModel): Promise<SessionSettings> {
  return {
    model: choices.model ?? (await defaultModel()),
    plannerModel: choices.plannerModel ?? null,
    reasoning: choices.reasoning ?? null,
    permissions: choices.permissions ?? 'Workspace write',
    toolPermissions: choices.toolPermissions ?? null,
    mode: choices.mode ?? 'normal',
    fallbackProviders: choices.fallbackProviders ?? [],
    language: choices.language ?? null,
  };
}

async function chooseFolder(
  request: StartRequest,
  { files }: StartNeeds,
): Promise<Pick<SessionHeader, 'folder' | 'taskId' | 'project' | 'isProjectFolder'>> {
  if (request.launchId !== undefined) return files.workspace.chooseFolder({ launchId: request.launchId });
  const { projectId, folder = '' } = request;
  return files.workspace.chooseFolder(projectId === undefined ? { path: folder } : { projectId });
}
