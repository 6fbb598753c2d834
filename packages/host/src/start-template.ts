import type { Files, TaskTemplate } from '@fucina/files';
import type { Sessions } from '@fucina/sessions';
import { type Ambient, AppError } from '@fucina/shared';
import { type SessionChoices, settingsOf } from './start-session.ts';

/** What a client gives to start a session from a task template. */
export interface TemplateRequest extends SessionChoices {
  taskId: string;
  /** `local`: on an installed model, through the local engine. */
  provider?: 'cloud' | 'local';
  runtimeId?: string;
  modelId?: string;
  fallbackConsent?: boolean;
  /** What the caller reads, where the request names no language. */
  callerLanguage: 'it' | 'en';
}

export interface TemplateNeeds {
  files: Pick<Files, 'templates'>;
  sessions: Pick<Sessions, 'create'>;
  defaultModel: string | undefined;
}

/** A private copy of the template's project (files), then the session on it (sessions). */
export async function startTemplate(
  request: TemplateRequest,
  { files, sessions, defaultModel }: TemplateNeeds,
): Promise<{ sessionId: string }> {
  const template = await files.templates.find(request.taskId);
  if (request.provider === 'local') throw new AppError('RUNTIME_NOT_AVAILABLE', { reason: 'no-local-engine' });
  const settings = settingsOf(request, defaultModel);
  const folder = await files.templates.copy(template);
  const place = { folder, taskId: template.id, project: template.project, isProjectFolder: false };
  try {
    return await sessions.create({
      folder: place,
      input: { message: assignmentOf(template, request) },
      testCommand: template.testCommand,
      client: request.client ?? 'desktop',
      settings,
    });
  } catch (error) {
    await files.templates.discard(folder);
    throw error;
  }
}

function assignmentOf({ words }: TaskTemplate, { language, callerLanguage }: TemplateRequest): string {
  return words[language ?? callerLanguage].assignment;
}

const FIRST_SWEEP_MS = 60_000;

export interface TemplateSweepNeeds {
  ambient: Ambient;
  files(): Pick<Files, 'templates'>;
  sessions(): Pick<Sessions, 'list'>;
}

/** Deletes, once and when the start is over, the copies that no session works in; the answer calls it off. */
export function sweepTemplatesLater({ ambient, files, sessions }: TemplateSweepNeeds): () => void {
  const usedFolders = async (): Promise<string[]> => (await sessions().list()).map(({ header }) => header.folder);
  return ambient.timer(FIRST_SWEEP_MS, () => {
    files()
      .templates.sweep(usedFolders)
      .catch((error: unknown) => ambient.log.warn('templates.sweep-failed', { error }));
  });
}
