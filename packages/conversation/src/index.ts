export { changedInstructions, isAgentInstructions } from './agent-instructions.ts';
export {
  askedOfServer,
  isAddressRead,
  isControlFile,
  isHiddenRead,
  isNetwork,
  isOfFiles,
  prefixText,
  projectRule,
  type ServerAnswer,
  serverAnswers,
  sessionCommands,
  storedServerAnswer,
} from './asked-action.ts';
export { groupSize, PARALLEL_TOOLS } from './call-order.ts';
export { isConnectionFailure } from './connection-failure.ts';
export {
  type ContextPart,
  type ContextParts,
  type Conversation,
  cardOf,
  EMPTY,
  findItem,
  type MessageQueue,
  netChanges,
  openCalls,
  type QueuedMessage,
  type Retry,
  readArguments,
  type TodoEntry,
  undoPlaces,
} from './conversation.ts';
export { toCsv, USAGE_COLUMNS } from './csv.ts';
export { editProblems, NEW_PROBLEMS } from './edit-problems.ts';
export {
  type ChatImageReference,
  type ImageReference,
  type MediaReference,
  type PlainEvent,
  type PlanValue,
  type Question,
  REPLAY_END,
  type RunStarted,
  type SessionEvent,
  type StatePatch,
  type StoredEvent,
  type StreamEvent,
  startsAgent,
  type ToolAction,
  type ToolCallResult,
  type UsageState,
  type UserQuestionRequested,
  type UserQuestionResolved,
} from './events.ts';
export { fold } from './fold.ts';
export { retryCause } from './fold-custom.ts';
export { outcomeOf } from './fold-turn.ts';
export {
  type ApprovalItem,
  type ArtifactItem,
  type Background,
  type CardItem,
  type CommandItem,
  type CompactionItem,
  type Cost,
  type ElicitationItem,
  type EndItem,
  type FallbackItem,
  type FileChange,
  type Item,
  type ModeItem,
  type Picture,
  PLAN_DECISIONS,
  type PlanDecision,
  type PlanItem,
  type ProseItem,
  type QuestionItem,
  type ReasoningItem,
  type StoredMedia,
  type TextItem,
  type ToolItem,
  type ToolOutcome,
  type TurnOutcome,
  type UndoItem,
  type UserItem,
  type WorkflowItem,
} from './items.ts';
export { endOfAgent, isStopped, wasStopped } from './stopped-call.ts';
export {
  argumentName,
  callSubject,
  neverAsks,
  type ToolFacts,
  type ToolKind,
  type ToolWords,
  toolFacts,
} from './tools.ts';
export { type TurnTrace, traceTurn } from './trace.ts';
export type { TimeSpan, TraceOutcome, TraceStep } from './trace-step.ts';
