export { type Ambient, systemAmbient } from './ambient.ts';
export { type AtomicWriteOptions, syncFolder, writeFileAtomically } from './atomic-file.ts';
export { type BlobStore, openBlobs } from './blobs.ts';
export { boundedJob, runInWorker, startThread, type WorkerBounds, WorkerError } from './bounded-worker.ts';
export { type CapturedOutput, capturedText, captureOutput } from './captured-output.ts';
export { type Environment, withoutSecrets } from './child-environment.ts';
export {
  handOver,
  type LaterOptions,
  launchProcess,
  NOT_ADMITTED,
  type PreparedProcess,
  type ProcessOptions,
  type ProcessOutcome,
  prepareProcess,
  type RunningProcess,
  runProcess,
  startProcess,
} from './child-process.ts';
export { ERROR_CODES, type ErrorCode } from './codes.ts';
export type { Command } from './command.ts';
export { DIALECTS, type DialectChoice, type DialectName, dialectFor, readDialectChoice } from './dialect-choice.ts';
export { entryAt, HAS_PROC, isMissing, readSmallFileNow, realPathAt, statsAt } from './disk-facts.ts';
export {
  AppError,
  type AppErrorOptions,
  commonError,
  defineErrors,
  type ErrorRaiser,
  isAppError,
  isErrorCode,
  systemCode,
} from './errors.ts';
export { withExactFolder } from './exact-folder.ts';
export type { ExternalPlan, ExternalToolCall, ExternalToolResult, ExternalTurn } from './external-turn.ts';
export { compileFirstCalls } from './first-calls.ts';
export { entriesBelow, namesIn } from './folder-names.ts';
export { matchesName, matchesPath } from './glob.ts';
export { allowedBy, placeAt, placeInString, type ReadJson, readJson } from './json-file.ts';
export { createKeyedQueue, type KeyedQueue } from './keyed-queue.ts';
export type { Launched } from './launch.ts';
export { isLocked, type ProcessLock, tryLock } from './lock.ts';
export { createLog, LOG_LEVELS, type Log, type LogFields, type LogLevel } from './log.ts';
export { MCP_CALL_ANSWERS, type McpCallAnswer, type ToolCallLeave } from './mcp-calls.ts';
export { MCP_FAILURES, type McpFailure } from './mcp-failures.ts';
export { isMediaType, type Media, type MediaType, mediaTypeOf, notShown } from './media.ts';
export {
  type AnswerPart,
  answerCalls,
  answerText,
  type FinishReason,
  type ImagePart,
  MAX_VENDOR_VALUE,
  type ModelClient,
  type ModelEvent,
  type ModelFailure,
  type ModelFailureClass,
  type ModelFallback,
  type ModelMessage,
  type ModelNotice,
  type ModelPair,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
  REASONING_EFFORTS,
  REASONING_SUMMARIES,
  type ReasoningChoice,
  type ToolSpec,
  TRANSIENT_FAILURES,
  type UserPart,
  type VendorValue,
} from './model.ts';
export { modelAttributes } from './model-attributes.ts';
export { familyOfId, modelFamily, wantsReasoningOnEveryCall } from './model-family.ts';
export { moduleArgv } from './module-argv.ts';
export { moduleBeside } from './module-beside.ts';
export { isEscapedName, nameBytes, nameText, systemPath } from './name-text.ts';
export { type NpmFailure, type NpmOutcome, type NpmProblem, runNpm } from './npm.ts';
export { once } from './once.ts';
export { type OpeningAddresses, writeOpeningPage } from './opening-page.ts';
export { isPublicAddress } from './outbound-addresses.ts';
export { lineBatches, MAX_LINE } from './outbound-body.ts';
export { OutboundError, type OutboundProblem, proxySentence } from './outbound-error.ts';
export {
  createOutboundHttp,
  type OutboundAnswer,
  type OutboundHttp,
  type OutboundHttpNeeds,
  type OutboundLimits,
  type OutboundRequest,
} from './outbound-http.ts';
export { authorityOf, type Proxy, readProxies } from './outbound-proxy.ts';
export { isClientCertificateUsable, readCertificateFiles } from './outbound-trust.ts';
export { createProxyTunnels, type ProxyTunnels, proxyAuthorization } from './outbound-tunnels.ts';
export {
  GATED_TOOLS,
  type GatedTool,
  type OperatingMode,
  PERMISSION_LEVELS,
  type PermissionLevel,
  type RuleVerdict,
  type SelectablePermissionLevel,
  type ToolPermission,
  type ToolPermissions,
} from './permissions.ts';
export { type PlistValue, plistText } from './plist.ts';
export { isPortableName } from './portable-name.ts';
export { activityMark, leaveOutOfActivity } from './process-activity.ts';
export { createProcessLauncher } from './process-launcher.ts';
export { endWithThisProcess, findRun, RUN_MARKER, signalProcess } from './process-sweep.ts';
export { GATE_SCRIPT } from './program-gate.ts';
export { readEntry } from './read-handle.ts';
export { redactText } from './redact-text.ts';
export { isSameSite, registrableDomain } from './registrable-domain.ts';
export { readRegularFile } from './regular-file.ts';
export { removeEntry, removeTree, withFolderHandle } from './remove-tree.ts';
export {
  accepted,
  PathError,
  type PathProblem,
  parseAbsolutePath,
  parseFileName,
  parseRelativePath,
} from './safe-name.ts';
export {
  createFolderInside,
  type FolderEntry,
  type FolderListing,
  isWithin,
  listInside,
  type OpenedPath,
  openFileInside,
  readFileInside,
  realFolder,
  statInside,
  type WriteInsideOptions,
  withFolderInside,
  writeFileInside,
} from './safe-path.ts';
export { type CopyRequest, copyInside, entryInside, moveInside, removeInside, takeOut } from './safe-tree.ts';
export { Secret } from './secret.ts';
export { settingsFolder } from './settings-folder.ts';
export type { SideAnswer, SideMessage, SideModel, SidePart, SideQuestion } from './side-question.ts';
export {
  copyDatabase,
  type OpenOptions,
  openDatabase,
  retryBusy,
  type SqliteDatabase,
  StoreOpenError,
  storedVersion,
} from './sqlite.ts';
export { lengthenLog } from './sqlite-log.ts';
export { checkStore, type StoreCheck, type StoreState } from './store-check.ts';
export { type StoreFailure, storeFailureOf } from './store-failure.ts';
export { type RecoveredTable, recoverDatabase } from './store-recovery.ts';
export { textEnd, textStart } from './text-cut.ts';
export {
  ANY_VERSION,
  type BackgroundCause,
  type BackgroundSlot,
  type CommandOutcome,
  type ControlWrite,
  type Editor,
  type EditorCommand,
  type EditorFiles,
  type EditorTerminal,
  type EditorTerminals,
  type FileChange,
  type SeenFiles,
  type Tool,
  type ToolAction,
  type ToolCheckContext,
  type ToolContext,
  type ToolDependency,
  type ToolEffect,
  type ToolImage,
  type ToolPlace,
  type ToolResult,
  type WriteReach,
} from './tool.ts';
export type { SpanAttributes, SpanStart, TraceSpan, Tracing } from './tracing.ts';
export { launchWaiting, type WaitingProcess } from './waiting-process.ts';
export { delayWasmOptimizing } from './wasm-optimizing.ts';
export { homeOf, isTooWide } from './wide-folder.ts';
export type {
  ChatImageReference,
  ImageReference,
  MediaReference,
  NumberedEvent,
  RunStarted,
  SessionEvent,
  StatePatch,
  StoredEvent,
  ToolCallResult,
  UsageState,
  UserQuestionRequested,
  UserQuestionResolved,
} from './wire-events.ts';
export { limitYoungGeneration } from './young-generation.ts';
