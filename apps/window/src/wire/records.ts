import type { components, operations } from '@fucina/wire-types';

/** The interface's records that the window uses, with the window's names. */
type Schemas = components['schemas'];

type Sent<Id extends keyof operations> = operations[Id] extends {
  requestBody?: { content: { 'application/json': infer Body } };
}
  ? Body
  : never;

type Answered<Id extends keyof operations> = operations[Id] extends {
  responses: { 200: { content: { 'application/json': { data: infer Data } } } };
}
  ? Data
  : never;

export const PERMISSION_LEVELS = ['Read only', 'Workspace write', 'On request', 'Full access'] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

export const GATED_TOOLS = ['scrivi', 'file_edit', 'prova', 'shell', 'document_create', 'generate_image'] as const;
export type GatedTool = (typeof GATED_TOOLS)[number];
export const TOOL_CHOICES = ['sempre', 'chiedi', 'nega'] as const;
export type ToolChoice = (typeof TOOL_CHOICES)[number];
export type ToolChoices = Partial<Record<GatedTool, ToolChoice>>;

export const EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;
export type Effort = (typeof EFFORTS)[number];
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed'] as const;

export type SessionRow = Schemas['Session'];
/** Cumulative totals; do not add them up. */
export type Usage = NonNullable<SessionRow['usage']>;
export type NewSession = Sent<'sessions.create-custom'>;
export type SessionSettings = Sent<'sessions.settings'>;
export type BranchPoint = Schemas['BranchPoint'];
export type InstructionSource = Schemas['InstructionSource'];
export type TurnTimes = Schemas['TurnTimes'];
export type NewBranch = Sent<'ext.branches.create'>;
export type RestoredFile = Schemas['RestorePreview'];
export type Processes = Schemas['ProcessLedger'];
export type ProcessRow = NonNullable<Processes['processi']>[number];
export type Metrics = Schemas['SessionMetrics'];

export type PendingCard = Schemas['PendingCard'];
export type SlashCommand = Schemas['SlashCommand'];
export type ImprovedPrompt = Schemas['ImprovedPrompt'];
export type ToolFacts = Schemas['Tool'];
export type ChildAgents = Schemas['ChildAgents']['figli'];
export type ChildAgent = ChildAgents[number];
export type AgentTimeline = Schemas['AgentTimeline'];
export type ProcessOutput = Schemas['ProcessOutput'];
export type CompactionPolicy = Schemas['CompactionPolicy'];
export type CompactionOutcome = Schemas['CompactionOutcome'];
export type Signal = NonNullable<Processes['guardia']['segnalazioni']>[number];
export type TaskTemplate = Schemas['TaskTemplate'];
export type HelpAnswer = Schemas['Help'];

export type FolderListing = Schemas['BrowsedFolder'];
export type FolderPortrait = Schemas['FolderPortrait'];
export type TreeFile = Schemas['FilePreview'];
export type NameSearch = Schemas['NameSearch'];

export type ModelRow = Schemas['Model'];
/** Every available model, and its supported reasoning levels. */
export type Catalog = Answered<'models.list'>;
export type ProviderRow = Schemas['Provider'];
export type PoolKey = ProviderRow['pool'][number];
export type ProviderTest = Schemas['ProviderTest'];

export type DoctorReport = Schemas['DoctorReport'];
export type DoctorState = DoctorReport['voci'][number]['stato'];
export type DoctorDetail = Schemas['RecordedProblem'];
export type SetupState = Schemas['SetupState'];

export interface Project {
  id: string;
  nome: string;
}

export interface FrequentFolder {
  etichetta: string;
  percorso: string;
}

export interface TreeEntry {
  nome: string;
  cartella: boolean;
}

export type SearchSource = Schemas['SearchSource'];
export type SearchTrial = { source: string; risultati: number; titoli: string[]; durataMs: number };
export type SignIn = Schemas['SignIn'];
export type ProviderRuntime = Schemas['ProviderRuntime'];
