export type { DoctorReport, HelpAnswer, Problem, RecordedProblem, SetupView } from '@fucina/diagnostics';
export type {
  Attachment,
  BrowsedFolder,
  Download,
  FilePreview,
  FolderPortrait,
  Launch,
  NameSearch,
  PageFile,
  PagePass,
  PartAsk,
  Span,
  TaskTemplate,
  TreeEntry,
} from '@fucina/files';
export type {
  Branch,
  BranchState,
  Checks,
  FileDiff,
  History,
  HostStatus,
  Pulled,
  PullRequest,
  Pushed,
  RangeChanges,
  RangeDiff,
  Remote,
  RepositoryState,
  SignIn,
  Stash,
  SyncState,
} from '@fucina/git';
export type { Item, Memory, Note, Recheck, ResearchDetail, ResearchRow, Task } from '@fucina/library';
export type {
  BuiltInExclusion,
  ExcludedFromAnswer,
  ExclusionRows,
  FullCatalog,
  ImproveDepth,
  ImprovedPrompt,
  ModelPrice,
  ModelRow,
  ProbeDetail,
  ProbeResult,
  ProviderRow,
  RuntimeRow,
  SearchSourceRow,
  SearchTest,
  SearchView,
  SignInStart,
} from '@fucina/providers';
export type {
  AgentTimeline,
  CallFacts,
  ChildAgent,
  CommandFacts,
  CompactionOutcome,
  FirstToken,
  FollowItem,
  FoundSession,
  Ledger,
  LedgerProcess,
  LedgerSignal,
  MessageQueue,
  PendingCard,
  QueuedMessage,
  SessionCache,
  SessionExport,
  SessionMetrics,
  SessionRow,
  TurnOutcome,
  UsageTotal,
} from '@fucina/sessions';
export { defaultDataDir, isServed } from './data-folder.ts';
export { createHost, type Host, type HostSettings, type Services } from './host.ts';
export type { OutputAnswer, OutputRequest } from './process-outputs.ts';
export type { StartRequest } from './start-session.ts';
export type { TemplateRequest } from './start-template.ts';
export type { OfferedTool } from './tool-catalog.ts';
