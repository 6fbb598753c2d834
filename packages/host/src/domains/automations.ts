import { type Automations, automationTools, createAutomations, type RunReport } from '@fucina/automations';
import type { Files, FolderWatcher } from '@fucina/files';
import { type Providers, parseModelId } from '@fucina/providers';
import type { Sessions } from '@fucina/sessions';
import { isAppError, type Tool } from '@fucina/shared';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { createDefaultModel } from '../sessions/default-model.ts';
import { settingsOf } from '../sessions/start-session.ts';
import { startTemplate } from '../sessions/start-template.ts';
import type { HostSettings } from '../settings.ts';
import { rootOf } from './workflows.ts';

interface AutomationParts {
  providers(): Providers;
  files(): Files;
  sessions(): Sessions;
  watcher(): FolderWatcher;
}

/** Automations, and what they need from other domains: folders and templates (files), sessions for their runs. */
export function openAutomations(settings: HostSettings, folder: DataFolder, parts: AutomationParts): Automations {
  const { files, sessions, providers } = parts;
  const defaultModel = createDefaultModel({ chosen: settings.model, providers });
  return createAutomations({
    ambient: settings.ambient,
    dataDir: folder.path,
    isInitialised: folder.hasHeld('automations.db'),
    onOpened: () => folder.noteStore('automations.db'),
    systemZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    folderOf: async (path) => (await placeOf(files(), path))?.folder,
    templateName: async (taskId) => (await files().templates.find(taskId)).project,
    isModelId,
    modelProblem: async (model) => {
      const used = model ?? settings.model;
      return used === undefined ? undefined : providers().modelProblem(used);
    },
    ...(folder.isServer && {
      watchFolder: (path, onChange) => parts.watcher().watch(path, onChange, { includesIgnored: true }),
    }),
    sessions: {
      start: async ({ folder: path, message, name, model, permissions }) => {
        const place = await files().workspace.chooseFolder({ path });
        const detected = await (await import('@fucina/tools')).detectTestCommand(place.folder);
        const choices = { ...(model !== null && { model }), permissions };
        const made = await sessions().create({
          folder: place,
          input: { message },
          testCommand: detected ?? null,
          client: 'desktop',
          settings: await settingsOf(choices, defaultModel),
        });
        await sessions().rename(made.sessionId, name);
        return made;
      },
      startTemplate: ({ taskId, model }) =>
        startTemplate(
          { taskId, ...(model !== null && { model }), callerLanguage: 'it' },
          { files: files(), sessions: sessions(), defaultModel },
        ),
      settled: (sessionId) => sessions().turns.settled(sessionId),
      report: async (sessionId) => reportOf(sessions(), sessionId),
      async stop(sessionId) {
        await sessions().turns.stop(sessionId).catch(ignoreGone);
      },
    },
  });
}

const OUTCOMES = {
  finished: 'done',
  'steps-used-up': 'steps-used-up',
  stopped: 'stopped',
  error: 'failed',
  interrupted: 'interrupted',
} as const;

function reportOf(sessions: Sessions, sessionId: string): RunReport | undefined {
  const report = sessions.workflowSteps.report(sessionId);
  if (!report) return undefined;
  const { isRunning, text, code, retryAfterMs, outcome } = report;
  return { isRunning, text, code, retryAfterMs, outcome: OUTCOMES[outcome ?? 'interrupted'] };
}

/** The agents' tools for automations, limited to folders that the user's sessions know. */
export function automationAgentTools(automations: () => Automations, sessions: () => Sessions): readonly Tool[] {
  return automationTools({
    automations,
    rootOf: (sessionId) => rootOf(sessions(), sessionId),
    isKnownFolder: (path) => sessions().knowsFolder(path),
  });
}

/** Undefined for an unusable folder. */
async function placeOf(files: Files, path: string): Promise<{ folder: string } | undefined> {
  try {
    return await files.workspace.chooseFolder({ path });
  } catch (error) {
    if (isAppError(error)) return undefined;
    throw error;
  }
}

function isModelId(model: string): boolean {
  try {
    parseModelId(model);
    return true;
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

/** Deleted in the meantime: nothing to stop. */
function ignoreGone(error: unknown): void {
  if (!isAppError(error, 'NOT_FOUND')) throw error;
}
