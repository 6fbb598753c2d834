export { type Ambient, systemAmbient } from './ambient.ts';
export { ERROR_CODES, type ErrorCode } from './codes.ts';
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
export { isLocked, type ProcessLock, tryLock } from './lock.ts';
export { createLog, LOG_LEVELS, type Log, type LogFields, type LogLevel } from './log.ts';
export {
  type FinishReason,
  type ModelClient,
  type ModelEvent,
  type ModelFailure,
  type ModelFailureClass,
  type ModelMessage,
  type ModelRequest,
  type ModelToolCall,
  type ModelUsage,
  REASONING_EFFORTS,
  REASONING_SUMMARIES,
  type ReasoningChoice,
  type ReasoningPart,
  type ToolSpec,
  type UserPart,
} from './model.ts';
export {
  GATED_TOOLS,
  type GatedTool,
  type OperatingMode,
  PERMISSION_LEVELS,
  type PermissionLevel,
  type SelectablePermissionLevel,
  type ToolPermission,
  type ToolPermissions,
} from './permissions.ts';
export { Secret } from './secret.ts';
export { type OpenOptions, openDatabase, type SqliteDatabase, StoreOpenError } from './sqlite.ts';
export type {
  CommandOutcome,
  FileChange,
  Tool,
  ToolAction,
  ToolContext,
  ToolEffect,
  ToolPlace,
  ToolResult,
} from './tool.ts';
