import type { Files } from '@fucina/files';
import type { FallbackProvider, ImageChoice, SessionHeader, Sessions } from '@fucina/sessions';
import {
  AppError,
  type OperatingMode,
  type ReasoningChoice,
  type SelectablePermissionLevel,
  type ToolPermissions,
} from '@fucina/shared';

/** What a client gives to start a free session; exactly one of the three ways to name the folder. */
export interface StartRequest {
  projectId?: string;
  folder?: string;
  launchId?: string;
  message: string;
  testCommand?: string;
  images?: readonly ImageChoice[];
  bubble?: Record<string, unknown>;
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

export interface StartNeeds {
  files: Pick<Files, 'workspace'>;
  sessions: Pick<Sessions, 'create'>;
  detectTestCommand(folder: string): Promise<string | undefined>;
  /** Counts one use of the folder, for the lists people choose from. */
  noteUse(folder: string): Promise<void>;
  defaultModel: string | undefined;
}

/** Folder first (files), then the session (sessions): the one place that knows both. */
export async function startSession(request: StartRequest, needs: StartNeeds): Promise<{ sessionId: string }> {
  const model = request.model ?? needs.defaultModel;
  if (!model) throw new AppError('MODEL_ID_INVALID', { reason: 'no-default-model' });
  const folder = await chooseFolder(request, needs);
  const session = await needs.sessions.create({
    folder,
    input: { message: request.message, images: request.images, bubble: request.bubble },
    testCommand: request.testCommand ?? (await needs.detectTestCommand(folder.folder)) ?? null,
    client: request.client ?? 'desktop',
    settings: {
      model,
      plannerModel: request.plannerModel ?? null,
      reasoning: request.reasoning ?? null,
      permissions: request.permissions ?? 'Workspace write',
      toolPermissions: request.toolPermissions ?? null,
      mode: request.mode ?? 'normal',
      fallbackProviders: request.fallbackProviders ?? [],
      language: request.language ?? null,
    },
  });
  await needs.noteUse(folder.folder);
  return session;
}

async function chooseFolder(
  request: StartRequest,
  { files }: StartNeeds,
): Promise<Pick<SessionHeader, 'folder' | 'taskId' | 'project' | 'isProjectFolder'>> {
  if (request.launchId !== undefined) throw new AppError('WORKSPACE_LAUNCH_NOT_AVAILABLE');
  const { projectId, folder = '' } = request;
  return files.workspace.chooseFolder(projectId === undefined ? { path: folder } : { projectId });
}
