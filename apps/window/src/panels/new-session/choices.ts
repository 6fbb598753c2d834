import { readStored } from '../../ambient.ts';
import {
  EFFORTS,
  type Effort,
  GATED_TOOLS,
  type NewSession,
  PERMISSION_LEVELS,
  type PermissionLevel,
  type SessionSettings,
  TOOL_CHOICES,
  type ToolChoice,
  type ToolChoices,
} from '../../wire/records.ts';
import type { Language } from '../../words/words.ts';

/** A folder by the id of its project, or by its absolute path. */
export type FolderChoice = { projectId: string; name: string; path?: string } | { path: string };

/** How a worktree is made for the session. */
export interface WorktreeChoice {
  /** A branch; empty: the current commit. */
  base: string;
  /** Starts from a pull request instead: its number or address as typed. */
  pullRequest: string | undefined;
  /** Empty: named after the task. */
  name: string;
  carriesChanges: boolean;
  /** Sessions for each model, each in a worktree of its own. */
  tries: number;
  /** Empty: the session's model. */
  models: readonly string[];
  /** Ignored files to copy. */
  localFiles: readonly string[];
  /** The fingerprint of the set-up script to run; null: none; undefined: the script, if it is trusted. */
  setup: string | null | undefined;
}

export const NO_WORKTREE: WorktreeChoice = {
  base: '',
  pullRequest: undefined,
  name: '',
  carriesChanges: false,
  tries: 1,
  models: [],
  localFiles: [],
  setup: undefined,
};

/** The number in `12`, `#12` or the address of a pull request. */
export function pullRequestNumber(typed: string): number | undefined {
  const digits = /^(?:#|https?:\/\/\S+\/pull\/)?(\d{1,9})(?:[/?#]\S*)?$/.exec(typed.trim())?.[1];
  return Number(digits) > 0 ? Number(digits) : undefined;
}

/** Choices remembered for the next session. */
export interface Choices {
  folder?: FolderChoice;
  model: string;
  level: PermissionLevel;
  tools: ToolChoices;
  effort?: Effort | undefined;
  testCommand: string;
  /** Plan mode; chosen anew each time. */
  isPlanning?: boolean;
  /** Chosen anew each time; absent: the session works in the folder. */
  worktree?: WorktreeChoice | undefined;
}

export const CHOICES_KEY = 'new-session';

const PLAIN: Choices = { model: '', level: 'Workspace write', tools: {}, testCommand: '' };

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const text = (value: unknown) => (typeof value === 'string' ? value : '');

function folderOf(value: unknown): FolderChoice | undefined {
  if (!isRecord(value)) return undefined;
  const path = text(value.path);
  const projectId = text(value.projectId);
  if (projectId) return { projectId, name: text(value.name) || projectId, ...(path ? { path } : {}) };
  return path ? { path } : undefined;
}

/** Choices as earlier versions stored them in the browser. */
const EARLIER_CHOICES: Readonly<Record<string, ToolChoice>> = { sempre: 'always', chiedi: 'ask', nega: 'deny' };

function toolsOf(value: unknown): ToolChoices {
  if (!isRecord(value)) return {};
  const known = GATED_TOOLS.flatMap((tool) => {
    const stored = text(value[tool]);
    const choice = TOOL_CHOICES.find((candidate) => candidate === (EARLIER_CHOICES[stored] ?? stored));
    return choice ? [[tool, choice] as const] : [];
  });
  return Object.fromEntries(known);
}

/** Validates stored choices, which other programs may have changed. Full access is never remembered. */
export function readChoices(kept: unknown): Choices {
  if (!isRecord(kept)) return PLAIN;
  const level = PERMISSION_LEVELS.find((candidate) => candidate === kept.level);
  const folder = folderOf(kept.folder);
  const effort = EFFORTS.find((candidate) => candidate === kept.effort);
  return {
    ...PLAIN,
    ...(folder ? { folder } : {}),
    ...(effort ? { effort } : {}),
    model: text(kept.model),
    level: level && level !== 'Full access' ? level : PLAIN.level,
    tools: toolsOf(kept.tools),
    testCommand: text(kept.testCommand),
  };
}

export const lastChoices = (): Choices => readChoices(readStored(CHOICES_KEY, isRecord));

export function nameOf(folder: FolderChoice): string {
  if ('projectId' in folder) return folder.name;
  return folder.path.split(/[\\/]/).findLast((part) => part !== '') ?? folder.path;
}

export interface FirstMessage {
  assignment: string;
  /** The language of the server's own messages. */
  language: Language;
  images?: readonly { id: string; name: string }[];
}

/** Common fields of all ways to start a session. */
export function settingsOf(
  { model, level, tools, effort, isPlanning }: Choices,
  language: Language,
): Omit<SessionSettings, 'plannerModel'> {
  return {
    language,
    permissions: level,
    ...(model ? { model } : {}),
    ...(effort ? { reasoning: { effort } } : {}),
    ...(Object.keys(tools).length > 0 ? { toolPermissions: tools } : {}),
    ...(isPlanning ? { mode: 'plan' } : {}),
  };
}

/** The request body that starts it. */
export function requestOf(
  choices: Choices & { folder: FolderChoice },
  { assignment, language, images = [] }: FirstMessage,
): NewSession {
  const { folder, testCommand } = choices;
  return {
    ...settingsOf(choices, language),
    ...('projectId' in folder ? { projectId: folder.projectId } : { freeFolder: folder.path }),
    message: assignment,
    ...(images.length > 0 ? { images: [...images] } : {}),
    ...(testCommand.trim() ? { testCommand: testCommand.trim() } : {}),
  };
}
