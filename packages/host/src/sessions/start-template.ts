import type { Files, TaskTemplate } from '@fucina/files';
import type { LocalRuntimes } from '@fucina/local-models';
import { parseModelId } from '@fucina/providers';
import type { NewSession, Sessions } from '@fucina/sessions';
import { type Ambient, AppError } from '@fucina/shared';
import type { DefaultModel } from './default-model.ts';
import { type SessionChoices, settingsOf } from './start-session.ts';

/** Input to start a session from a task template. */
export interface TemplateRequest extends SessionChoices {
  taskId: string;
  /** `local`: on an installed model, through the local engine. */
  provider?: 'cloud' | 'local';
  runtimeId?: string;
  modelId?: string;
  fallbackConsent?: boolean;
  /** The caller's language, if the request names none. */
  callerLanguage: 'it' | 'en';
}

export interface TemplateNeeds {
  files: Pick<Files, 'templates'>;
  sessions: Pick<Sessions, 'create'>;
  /** Without it no local model can be chosen. */
  localRuntimes?(): Pick<LocalRuntimes, 'view'>;
  defaultModel: DefaultModel;
}

/** A private copy of the template's project (files), then the session on it (sessions). */
export async function startTemplate(
  request: TemplateRequest,
  { files, sessions, localRuntimes, defaultModel }: TemplateNeeds,
): Promise<{ sessionId: string }> {
  const template = await files.templates.find(request.taskId);
  const local = request.provider === 'local' ? await localChoice(request, localRuntimes?.()) : undefined;
  const settings = await settingsOf({ ...request, ...local?.choices }, defaultModel);
  const folder = await files.templates.copy(template);
  const place = { folder, taskId: template.id, project: template.project, isProjectFolder: false };
  try {
    return await sessions.create({
      folder: place,
      input: { message: assignmentOf(template, request) },
      testCommand: template.testCommand,
      client: request.client ?? 'desktop',
      settings,
      runtime: local?.runtime,
    });
  } catch (error) {
    await files.templates.discard(folder);
    throw error;
  }
}

interface LocalChoice {
  choices: Pick<TemplateRequest, 'model' | 'fallbackProviders'>;
  runtime: NonNullable<NewSession['runtime']>;
}

/** The model must exist and be loaded in our own engine: otherwise RUNTIME_NOT_AVAILABLE or MODEL_NOT_FOUND. */
async function localChoice(
  { runtimeId = '', modelId = '', fallbackConsent = false, model, fallbackProviders }: TemplateRequest,
  runtimes: Pick<LocalRuntimes, 'view'> | undefined,
): Promise<LocalChoice> {
  const row = await runtimes?.view(runtimeId);
  if (row?.state !== 'observed' || row.modelsError)
    throw new AppError('RUNTIME_NOT_AVAILABLE', {
      reason: row?.reason ?? row?.modelsError?.toLowerCase() ?? 'unknown',
    });
  const known = row.models.find((one) => one.modelId === modelId);
  if (!known) throw new AppError('MODEL_NOT_FOUND');
  const isOurs = row.runtimeId === 'llama.cpp';
  if (isOurs && !known.isLoaded) throw new AppError('RUNTIME_NOT_AVAILABLE', { reason: 'not-loaded' });
  // With the user's consent, falls back to the model that would be used without an engine.
  const reserve = fallbackConsent && model !== undefined ? [parseModelId(model)] : [];
  return {
    choices: {
      model: `${isOurs ? 'local' : row.runtimeId}:${modelId}`,
      fallbackProviders: fallbackProviders ?? reserve,
    },
    runtime: { provider: 'local', runtimeId: row.runtimeId, modelId, hasFallbackConsent: fallbackConsent },
  };
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

/** Deletes unused copies once, after startup; the returned function cancels that. */
export function sweepTemplatesLater({ ambient, files, sessions }: TemplateSweepNeeds): () => void {
  const usedFolders = async (): Promise<string[]> => (await sessions().list()).map(({ header }) => header.folder);
  return ambient.timer(FIRST_SWEEP_MS, () => {
    files()
      .templates.sweep(usedFolders)
      .catch((error: unknown) => ambient.log.warn('templates.sweep-failed', { error }));
  });
}
