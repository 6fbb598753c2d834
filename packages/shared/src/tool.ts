import type { SessionEvent } from '@fucina/conversation';
import type * as z from 'zod';
import type { GatedTool, PermissionLevel } from './permissions.ts';

/**
 * What a tool does to the world, for the one permission gate:
 * `read` never asks; `write` changes files; `process` runs a command; `network` reads from the internet;
 * `record` changes the application's own data and leaves a receipt; `control` starts or steers work elsewhere;
 * `dialogue` acts on the conversation alone: asks the user, shows a plan, keeps the to-do list.
 */
export type ToolEffect = 'read' | 'write' | 'process' | 'network' | 'record' | 'control' | 'dialogue';

/** An agent tool: a value exported by the domain whose work it does, handed to sessions by host. */
export interface Tool<Input = unknown> {
  /** The name the model calls, as in the interface (`leggi`, `shell` …). */
  readonly name: string;
  /** For the model: what it does, its limits, when to prefer another tool. */
  readonly description: string;
  readonly category: 'base' | 'extended';
  readonly effect: ToolEffect;
  /** True: calls of this tool may run beside each other, although they do more than look. */
  readonly isParallel?: boolean;
  /** The key of its own permission, or null where none exists. */
  readonly gate: GatedTool | null;
  /** The user is asked each time, whatever the level; where nobody is there, the tool itself decides what it does. */
  readonly isAsked?: true;
  /** Argument schema with the interface's own field names; its JSON schema goes to the model. */
  readonly input: z.ZodType<Input>;
  /** What the tool cannot work without, asked whenever tools are listed; absent where it needs nothing. Runs nothing. */
  dependency?(): ToolDependency | Promise<ToolDependency>;
  /** What the gate decides on and what the approval card shows: pure, no disk. */
  action(input: Input, place: ToolPlace): ToolAction;
  /** Why `run` would fail as the files stand now, for the model; undefined where it would not. Asked before the user is; changes nothing. */
  check?(input: Input, context: ToolCheckContext): Promise<string | undefined>;
  /** Runs after the gate allowed `action`. Failures the model can act on are results with `isError`; a throw is a bug. */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** The tool is offered either way: without what it needs it answers so. */
export interface ToolDependency {
  state: 'ready' | 'missing';
  /** One line for the user, in English: which source, program or command it is, or what is missing. */
  detail: string;
}

export interface ToolPlace {
  /** Absolute real path of the session's folder. */
  readonly folder: string;
  /** The command that proves the work, or null when none is known. */
  readonly testCommand: string | null;
  /** The level of the conversation, where the gate asks. */
  readonly level?: PermissionLevel;
}

/** Exactly what will happen. An approval binds to the hash of this value. */
export interface ToolAction {
  /** The tool's name. */
  tipo: string;
  /** Path relative to the folder, `/`-separated, where the tool touches one file. */
  percorso?: string;
  /** The whole command line, where the tool runs one. */
  comando?: string;
  /** Further facts for the card (format, title, address, before/after text of an edit …). */
  [fact: string]: unknown;
}

/** Files as the user's editor has them, unsaved changes included. Paths are absolute. */
export interface EditorFiles {
  /** Undefined where the editor cannot tell: the disk has it then. */
  read(path: string): Promise<string | undefined>;
  /** False where the editor did not take it: it is then written to the disk. */
  write(path: string, content: string): Promise<boolean>;
}

/** Terminals of the user's editor. No sandbox limits what runs in them. */
export interface EditorTerminals {
  /** Undefined where the editor opens none for this call: the command is then run without it. Rejects never. */
  create(command: EditorCommand): Promise<EditorTerminal | undefined>;
}

export interface EditorCommand {
  sessionId: string;
  toolCallId: string;
  argv: readonly [string, ...string[]];
  /** Absolute. */
  cwd: string;
  /** Set besides the variables of the editor. */
  environment: Readonly<Record<string, string>>;
  /** The editor keeps the end of the output, at least this much. */
  outputBytes: number;
}

/** A command that runs in the editor. What the editor does not answer rejects. */
export interface EditorTerminal {
  /** Its standard output and error, as the editor keeps them now. */
  output(): Promise<{ text: string; isCut: boolean }>;
  /** Settles when the command is over. */
  exit(): Promise<{ exitCode: number | null; signal: string | null }>;
  kill(): Promise<void>;
  /** Once, when it is no longer needed; ends a command that still runs. */
  release(): Promise<void>;
}

/** What an editor that is connected to a session offers. */
export interface Editor {
  files?: EditorFiles | undefined;
  terminals?: EditorTerminals | undefined;
}

export interface ToolContext extends ToolPlace {
  readonly sessionId: string;
  readonly toolCallId: string;
  readonly signal: AbortSignal;
  /** True at Full access: paths outside the folder are then allowed. */
  readonly isWholeDisk: boolean;
  /** What a command may write; the sandbox holds it to that where the system has one. */
  readonly writes: WriteReach;
  /** Lets a command go on after its call was answered; null for tools that run none. */
  readonly background: BackgroundSlot | null;
  /** Live progress for the user (command output); never part of the conversation. */
  progress(text: string): void;
  /** Puts events into the conversation at once, while the call goes on. */
  tell(events: readonly SessionEvent[]): void;
  /** Files this session has read, by relative path → SHA-256 of the bytes seen; lets an edit notice a change from outside. */
  readonly seen: Map<string, string>;
  /** Absent where no editor is connected to the session. */
  readonly editor?: EditorFiles | undefined;
  /** Where commands run then; absent below Full access, since nothing limits them there. */
  readonly terminals?: EditorTerminals | undefined;
}

/** What a tool may know of the call before it is allowed. */
export type ToolCheckContext = Pick<ToolContext, 'folder' | 'isWholeDisk' | 'seen' | 'editor'>;

/** `nothing` under Read only, `folder` (and temporary files) under Workspace write and On request, `anything` at Full access. */
export type WriteReach = 'nothing' | 'folder' | 'anything';

export type BackgroundCause = 'person' | 'timeout' | 'model';

export interface BackgroundSlot {
  /** Aborts when the user sends this command to the background. */
  readonly asked: AbortSignal;
  /**
   * Called once by the tool that answers while its command runs on. From then on `context.signal` no longer ends the
   * command: `stop` does, and `ended` settles with its exit code, null after a signal.
   */
  letGo(command: { cause: BackgroundCause; ended: Promise<number | null>; stop(): void }): void;
}

export interface ToolResult {
  /** What the model reads. The tool has already cut it to its limits and said so. */
  content: string;
  isError?: boolean;
  /** Present when a command ran. */
  command?: CommandOutcome;
  /** Present when a command made control files: the user is asked for each. */
  controlWrites?: readonly ControlWrite[];
  /** Present when the sandbox hid files from a command that failed: the user is asked whether commands may read them. */
  hiddenReads?: readonly string[];
  /** Present when files changed. */
  changes?: readonly FileChange[];
  /** Pictures the model is shown beside `content`, when it can see. */
  images?: readonly ToolImage[];
  /** What the conversation shows besides, appended before the result (an artifact made …). */
  events?: readonly SessionEvent[];
}

export interface ToolImage {
  mimeType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  bytes: Uint8Array;
}

export interface CommandOutcome {
  command: string;
  /** Absolute folder it ran in. */
  cwd: string;
  stdout: string;
  stderr: string;
  /** null when it was stopped by a signal or never started. */
  exitCode: number | null;
  durationMs: number;
  /** What held the command to its reach: the sandbox's name, or `none` where the system has none or none was asked. */
  enforcement: string;
}

/** A file that something runs or obeys later, made by a command and taken away again until the user allows it. */
export interface ControlWrite {
  /** Relative to the session's folder, `/`-separated. */
  path: string;
  /** Null for a link, a large file or one that is no text. */
  content: string | null;
}

export interface FileChange {
  /** Relative to the session's folder, `/`-separated. */
  path: string;
  /** null: the file did not exist. */
  before: string | null;
  /** null: the file is gone. */
  after: string | null;
  attachment?: { nome: string; formato: string; byte: number };
}
