import type { Answer, OperationOptions, Schemas } from '@fucina/client';

/** The interface's records that the window uses, with the window's names. */
export const PERMISSION_LEVELS = ['Read only', 'Workspace write', 'On request', 'Full access'] as const;
export type PermissionLevel = (typeof PERMISSION_LEVELS)[number];

export const GATED_TOOLS = ['scrivi', 'file_edit', 'prova', 'shell', 'document_create', 'generate_image'] as const;
export type GatedTool = (typeof GATED_TOOLS)[number];
/** Whether an answer can allow the whole tool for a session; of a command it allows prefixes. */
export const isWholeTool = (tool: string): tool is GatedTool =>
  tool !== 'shell' && tool !== 'prova' && GATED_TOOLS.some((one) => one === tool);
export const TOOL_CHOICES = ['always', 'ask', 'deny'] as const;
export type ToolChoice = (typeof TOOL_CHOICES)[number];
export type ToolChoices = Partial<Record<GatedTool, ToolChoice>>;

export const EFFORTS = ['max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'] as const;
export type Effort = (typeof EFFORTS)[number];
export const REASONING_SUMMARIES = ['auto', 'concise', 'detailed'] as const;

export type SessionRow = Schemas['Session'];
/** Cumulative totals; do not add them up. */
export type Usage = NonNullable<SessionRow['usage']>;
export type NewSession = OperationOptions<'post', '/sessions/custom'>['body'];
export type SessionSettings = OperationOptions<'post', '/sessions/{sessionId}/settings'>['body'];

export type InstructionSource = Schemas['InstructionSource'];
export type NewBranch = OperationOptions<'post', '/ext/sessions/{sessionId}/branches'>['body'];

export type TurnTrace = Schemas['TurnTrace'];
export type TraceStep = TurnTrace['steps'][number];
/** Since the start of the turn; null while it runs. */
export type TraceSpan = Pick<TraceStep, 'startMs' | 'endMs'>;

export type Processes = Schemas['ProcessLedger'];
export type ProcessRow = NonNullable<Processes['processes']>[number];
export type Metrics = Schemas['SessionMetrics'];

export type PendingCard = Schemas['PendingCard'];
export type SlashCommand = Schemas['SlashCommand'];
export type ImprovedPrompt = Schemas['ImprovedPrompt'];

export type ChildAgents = Schemas['ChildAgents']['children'];
export type ChildAgent = ChildAgents[number];

export type Signal = NonNullable<Processes['guard']['signals']>[number];
export type TaskTemplate = Schemas['TaskTemplate'];

export type FolderListing = Schemas['BrowsedFolder'];
export type FolderPortrait = Schemas['FolderPortrait'];

export type NameSearch = Schemas['NameSearch'];

export type ModelRow = Schemas['Model'];
/** Every available model, and its supported reasoning levels. */
export type Catalog = Answer<'get', '/models'>;
export type ProviderRow = Schemas['Provider'];
export type Connection = Schemas['ProviderConnection'];
export type PoolKey = ProviderRow['pool'][number];
export type ProviderTest = Schemas['ProviderTest'];

export type DoctorReport = Schemas['DoctorReport'];
export type DoctorState = DoctorReport['entries'][number]['state'];
export type DoctorDetail = Schemas['RecordedProblem'];

export type TreeEntry = Answer<'get', '/sessions/{sessionId}/tree'>['entries'][number];

export type SearchSource = Schemas['SearchSource'];
export type SignIn = Schemas['SignIn'];
export type ProviderRuntime = Schemas['ProviderRuntime'];
