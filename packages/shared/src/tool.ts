import type * as z from 'zod';
import type { ToolCallLeave } from './mcp-calls.ts';
import type { Media } from './media.ts';
import type { GatedTool, PermissionLevel } from './permissions.ts';
import type { SideModel } from './side-question.ts';
import type { SessionEvent } from './wire-events.ts';

/**
 * The effect of a tool, for the permission gate: `read` never asks; `write` changes files; `process` runs a command;
 * `network` reads from the internet; `record` changes the application's own data and leaves a receipt; `control` starts
 * or steers work elsewhere; `dialogue` acts only on the conversation: asks the user, shows a plan, updates the to-do
 * list.
 */
export type ToolEffect = 'read' | 'write' | 'process' | 'network' | 'record' | 'control' | 'dialogue';

/** An agent tool: exported by the domain that implements it, passed to sessions by host. */
export interface Tool<Input = unknown> {
  /** The name that the model calls, as in the interface (`leggi`, `shell` …). */
  readonly name: string;
  /** For the model: its function, its limits, when to prefer another tool. */
  readonly description: string;
  readonly category: 'base' | 'extended';
  readonly effect: ToolEffect;
  /** True: calls of this tool may run in parallel, although they are not read-only. */
  readonly isParallel?: boolean;
  /** The key of its own permission, or null where none exists. */
  readonly gate: GatedTool | null;
  /** Always asks the user, at every level; if no user is available, the tool itself decides. */
  readonly isAsked?: true;
  /**
   * It only reads, and nothing outside of what the user set up: no level asks before it. Its effect still decides whether
   * a level or a mode forbids it.
   */
  readonly isHarmless?: true;
  /**
   * Absent: it asks nothing outside this computer. `address`: the one in its action's `url`, which the model chose, so
   * that the network policy decides. `service`: one that the user configured; refused only while the network is off.
   */
  readonly reaches?: 'address' | 'service';
  /** Of an MCP server: what the user answered about its calls, read before each of them. */
  calls?(): Promise<ToolCallLeave>;
  /** Argument schema with the interface's own field names; its JSON schema goes to the model. */
  readonly input: z.ZodType<Input>;
  /** Its requirements, checked whenever tools are listed; absent if it has none. Runs nothing. */
  dependency?(): ToolDependency | Promise<ToolDependency>;
  /** The action for the gate and the approval card: pure, no disk access. */
  action(input: Input, place: ToolPlace): ToolAction;
  /**
   * The calls of other tools that an action stands for: the gate judges each as that tool's, and the strictest verdict
   * applies to the whole.
   */
  parts?(action: ToolAction): readonly ToolAction[];
  /**
   * Why `run` would fail with the current files, for the model; undefined if it would not. Called before the user is
   * asked; changes no file.
   */
  check?(input: Input, context: ToolCheckContext): Promise<string | undefined>;
  /**
   * Called after the gate allowed `action`. Failures that the model can react to are results with `isError`; a throw is
   * a bug.
   */
  run(input: Input, context: ToolContext): Promise<ToolResult>;
}

/** The tool is offered either way: without its requirements its result says so. */
export interface ToolDependency {
  state: 'ready' | 'missing';
  /** One line for the user, in English: the source, program or command, or what is missing. */
  detail: string;
}

export interface ToolPlace {
  /** Absolute real path of the session's folder. */
  readonly folder: string;
  /** The project's test command, or null when unknown. */
  readonly testCommand: string | null;
  /** The permission level of the conversation. */
  readonly level?: PermissionLevel;
}

/** Exactly what will happen. An approval applies to the hash of this value. */
export interface ToolAction {
  /** The tool's name. */
  tipo: string;
  /** Path relative to the folder, `/`-separated, for a tool that touches one file. */
  percorso?: string;
  /** The whole command line, for a tool that runs one. */
  comando?: string;
  /**
   * Of a command that asks: what an answer for the session allows, a prefix for each command of the line; empty when it
   * allows this very line only.
   */
  prefissi?: readonly string[];
  /** Further facts for the card (format, title, address, before/after text of an edit …). */
  [fact: string]: unknown;
}

/** Files as the user's editor has them, including unsaved changes. Paths are absolute. */
export interface EditorFiles {
  /** Undefined if the editor does not know the file: then it is read from disk. */
  read(path: string): Promise<string | undefined>;
  /** False if the editor did not accept it: then it is written to disk. */
  write(path: string, content: string): Promise<boolean>;
}

/** Terminals of the user's editor. They are not sandboxed. */
export interface EditorTerminals {
  /** Undefined if the editor opens none for this call: the command then runs without it. Never rejects. */
  create(command: EditorCommand): Promise<EditorTerminal | undefined>;
}

export interface EditorCommand {
  sessionId: string;
  toolCallId: string;
  argv: readonly [string, ...string[]];
  /** Absolute. */
  cwd: string;
  /** Set in addition to the editor's variables. */
  environment: Readonly<Record<string, string>>;
  /** The editor stores at least this much of the end of the output. */
  outputBytes: number;
}

/** A command that runs in the editor. Rejects when the editor does not respond. */
export interface EditorTerminal {
  /** Its standard output and error so far, as the editor stores them. */
  output(): Promise<{ text: string; isCut: boolean }>;
  /** Resolves when the command has ended. */
  exit(): Promise<{ exitCode: number | null; signal: string | null }>;
  kill(): Promise<void>;
  /** Call once when it is no longer needed; ends a running command. */
  release(): Promise<void>;
}

/** Capabilities of an editor connected to a session. */
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
  /** Where a command may write; the sandbox enforces it if the system has one. */
  readonly writes: WriteReach;
  /** Continues a command in the background after its call returned; null for tools that run none. */
  readonly background: BackgroundSlot | null;
  /**
   * Live progress for the user (command output); not part of the conversation. The last text, with which the result
   * follows, is stored together with it.
   */
  progress(text: string, isLast?: boolean): void;
  /** Adds events to the conversation at once, during the call. */
  tell(events: readonly SessionEvent[]): void;
  readonly seen: SeenFiles;
  /** Call before changing a file that `action` does not name, by its relative path, so that the change can be undone. */
  willChange?(path: string): Promise<void>;
  /** Absent without an editor connected to the session. */
  readonly editor?: EditorFiles | undefined;
  /** The model of the session, beside the conversation; absent where no user could allow a question to it. */
  readonly sideModel?: SideModel | undefined;
  /** Size of the context of the model that reads the result; absent when it is not known. */
  readonly windowTokens?: number | undefined;
  /** The W3C trace context of this call, for programs that it starts or asks; absent when traces are not collected. */
  readonly traceparent?: string | undefined;
  /** Runs commands in the editor; absent below Full access, because they are not sandboxed there. */
  readonly terminals?: EditorTerminals | undefined;
}

/**
 * Versions of files that this session has read, written or made, by path relative to its folder, as SHA-256 of their
 * content: lets a change detect one from outside, and a rewrite that the file was never read.
 */
export interface SeenFiles {
  /** ANY_VERSION where whoever writes keeps track of it. */
  get(path: string): string | undefined;
  set(path: string, sha256: string): void;
}

/** Stands for every version of a file in SeenFiles. */
export const ANY_VERSION = 'any';

/** What a tool may know about the call before it is allowed. */
export type ToolCheckContext = Pick<ToolContext, 'folder' | 'isWholeDisk' | 'seen' | 'editor'>;

/**
 * `nothing` under Read only, `folder` (and temporary files) under Workspace write and On request, `anything` at Full
 * access.
 */
export type WriteReach = 'nothing' | 'folder' | 'anything';

export type BackgroundCause = 'user' | 'timeout' | 'model';

export interface BackgroundSlot {
  /** Aborts when the user sends this command to the background. */
  readonly asked: AbortSignal;
  /**
   * Called once by the tool that returns while its command continues. From then on `context.signal` no longer ends the
   * command: `stop` does, and `ended` resolves with its exit code, null after a signal.
   */
  letGo(command: { cause: BackgroundCause; ended: Promise<number | null>; stop(): void }): void;
}

export interface ToolResult {
  /** The text for the model, already truncated by the tool, which says so. */
  content: string;
  isError?: boolean;
  /** Present when a command ran. */
  command?: CommandOutcome;
  /** Present when a command wrote control files: the user is asked for each. */
  controlWrites?: readonly ControlWrite[];
  /** Present when the sandbox hid files from a failed command: the user is asked whether commands may read them. */
  hiddenReads?: readonly string[];
  /** Present when files changed. */
  changes?: readonly FileChange[];
  /** Images shown to the model with `content`, if it supports images. */
  images?: readonly ToolImage[];
  /** Audio and PDF shown to the model with `content`, if it takes them. */
  media?: readonly Media[];
  /** Addresses that may be read next without asking: what a search found, a page's own links. Absolute, http(s). */
  addresses?: readonly string[];
  /** Additional events for the conversation, appended before the result (an artifact created …). */
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
  /** How the command was sandboxed: the sandbox's name, or `none` without one. */
  enforcement: string;
}

/**
 * A file that other programs execute or obey later, written by a command and removed again until the user allows it.
 */
export interface ControlWrite {
  /** Relative to the session's folder, `/`-separated. */
  path: string;
  /** Null for a link, a large file or a binary file, and for one that is still there. */
  content: string | null;
  /** It could not be removed. */
  isLeft?: boolean;
  /** Only the settings that start a program were removed; the rest of the file is there. */
  isStripped?: boolean;
}

export interface FileChange {
  /** Relative to the session's folder, `/`-separated. */
  path: string;
  /** null: the file did not exist. */
  before: string | null;
  /** null: the file was deleted. */
  after: string | null;
  attachment?: { nome: string; formato: string; byte: number };
}
