export type {
  AnyAutomation,
  Automation,
  HookView,
  LegacyAutomation,
  NewAutomation,
  NewLegacy,
  Run,
  Schedule,
} from '@fucina/automations';
export type {
  Described,
  FrameVerdict,
  Gesture,
  GestureOutcome,
  LiveState,
  LocalPage,
  Opened,
  PageReading,
  ScreenEvent,
} from '@fucina/browser';
export type { DoctorReport, HelpAnswer, Problem, RecordedProblem, SetupView } from '@fucina/diagnostics';
export type { Extensions } from '@fucina/extensions';
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
export type { ExportOptions, Item, Memory, Note, Recheck, ResearchDetail, ResearchRow, Task } from '@fucina/library';
export type {
  Capacity,
  DownloadStatus,
  FitAnswer,
  HubModel,
  HubRepository,
  Inspection,
  LibraryInstallation,
  LoadedModel,
  LocalRuntimes,
  ModelFact,
  ModelFit,
  ModelRecord,
  Qualified,
  RuntimeView,
  UnloadedModel,
} from '@fucina/local-models';
export type {
  BuiltInExclusion,
  ChosenSettings,
  ExcludedFromAnswer,
  ExclusionRows,
  FullCatalog,
  ImproveDepth,
  ImprovedPrompt,
  ModelPrice,
  ModelProfile,
  ModelRow,
  ProbeDetail,
  ProbeResult,
  ProviderRow,
  RuntimeRow,
  SearchSourceRow,
  SearchTest,
  SearchView,
  SignInStart,
  StatedTokens,
} from '@fucina/providers';
export type {
  ModeScope,
  NetworkMode,
  NetworkModes,
  PermissionRules,
  RuleMatch,
  RuleTexts,
  SandboxRefusalRecord,
  SelfTestReport,
  StoredRule,
  UnreadableRule,
} from '@fucina/sandbox';
export type {
  AgentTimeline,
  BoardRow,
  CallFacts,
  ChildAgent,
  CommandFacts,
  CompactionOutcome,
  CompactionPolicy,
  FirstToken,
  FollowItem,
  FoundSession,
  InstructionSource,
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
  TracedStep,
  TracedTurn,
  TurnOutcome,
  UsageTotal,
} from '@fucina/sessions';
export type {
  Attachment as TerminalAttachment,
  ControlEvent,
  TerminalRecord,
  Viewer,
  ViewerEnd,
} from '@fucina/terminals';
export type {
  Approval,
  ControlResult,
  EdgePage,
  GraphOverview,
  History as RunHistory,
  Lineage,
  ListedProposals,
  Output,
  PlannedBase,
  PlannedStep,
  ProposalView,
  RetryPreview,
  Revision,
  RunBase,
  RunList,
  RunStep,
  RunUpdate,
  StartResult,
  StepPage,
  StepRow,
  ViewWithBase,
} from '@fucina/workflows';
export type { AgUiAnswer, AgUiMessage, AgUiRequest, AgUiRun } from './ag-ui/ag-ui-run.ts';
export {
  type BackupChoice,
  type BackupView,
  isInDataFolder,
  KEPT_BACKUPS,
} from './backup/backup-control.ts';
export { BackupError, type BackupManifest } from './backup/backup-manifest.ts';
export {
  BACKUP_PERIODS,
  type BackupPeriod,
  type BackupSchedule,
  type BackupScheduleView,
  readBackupSchedule,
  saveBackupSchedule,
} from './backup/backup-schedule.ts';
export { type Backup, type BackupRequest, createBackup, defaultBackupFolder } from './backup/create-backup.ts';
export { type Restored, restoreBackup, verifyBackup } from './backup/restore-backup.ts';
export { defaultDataDir, isServed } from './data-folder/data-folder.ts';
export { instanceHost } from './data-folder/instance-host.ts';
export { launcherToken } from './data-folder/launcher-token.ts';
export { answeringServer, noteRunningServer } from './data-folder/running-server.ts';
export { repairStores, type StoreRepair } from './data-folder/store-repair.ts';
export { type WindowAddresses, windowAddresses } from './data-folder/window-addresses.ts';
export type { WslView } from './data-folder/wsl-settings.ts';
export { loadPermissionRules } from './domains/permission-rules.ts';
export { createHost } from './host.ts';
export type { Host, Services } from './services.ts';
export type {
  ConfiguredHook,
  ConfiguredPlugin,
  ConfiguredPluginList,
  ConfiguredSkill,
  ExtensionsControl,
  ExtensionTarget,
  SkillDetails,
} from './sessions/extensions-control.ts';
export type {
  Diagnostic,
  FormatterRow,
  LanguageControl,
  LanguageServerRow,
  MappedSymbol,
  ProblemCount,
} from './sessions/language-control.ts';
export type {
  CallChoice,
  Candidate,
  ImportFile,
  LogLine,
  McpControl,
  McpSave,
  McpTarget,
  ServerList,
  ServerRow,
  ServerScope,
  SignInReturn,
  Suggestion,
} from './sessions/mcp-control.ts';
export type { OutputAnswer, OutputRequest } from './sessions/process-outputs.ts';
export type { SessionBrowser } from './sessions/session-browser.ts';
export type {
  ElicitationAnswer,
  ForgedRow,
  HookRow,
  McpRow,
  PluginRow,
  RowsOrProblem,
  SessionServer,
  Skill,
} from './sessions/session-extensions.ts';
export type { SessionTerminals } from './sessions/session-terminals.ts';
export type { StartRequest } from './sessions/start-session.ts';
export type { TemplateRequest } from './sessions/start-template.ts';
export type { BudgetLimits, BudgetView, PricedModel, UsageControl, UsageRow } from './sessions/usage-control.ts';
export type {
  MergedWorktree,
  NewWorktree,
  PickedFromSessions,
  SessionPick,
  UsedWorktree,
  WorktreeControl,
  WorktreeMerge,
  WorktreeRemoval,
  WorktreeStart,
} from './sessions/worktree-control.ts';
export type { SetupRun, SetupScript, WorktreeSetup } from './sessions/worktree-setup.ts';
export type { HostSettings } from './settings.ts';
export type { NetworkToolView, SandboxControl, SandboxPlace, SandboxView } from './tools/sandbox-control.ts';
export type { OfferedTool } from './tools/tool-catalog.ts';
