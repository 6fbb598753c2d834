import { join } from 'node:path';
import {
  type Ambient,
  type ModelClient,
  type SessionEvent,
  systemAmbient,
  type Tool,
  type ToolSpec,
  tryLock,
  type WriteReach,
} from '@fucina/shared';
import { tempDir } from '@fucina/testkit';
import * as z from 'zod';
import { createSessions, type NewSession, type Sessions, type SessionsNeeds } from '../src/index.ts';
import { type ScriptedAnswer, type ScriptedModel, scriptedModel } from '../src/testing.ts';
import { folderHistory } from './folder-history.ts';

export interface TestSessions {
  sessions: Sessions;
  model: ScriptedModel;
  dir: string;
  /** Calls of the writing tool, in order. */
  written: string[];
  newSession(): NewSession;
  start(settings?: Partial<NewSession['settings']>): Promise<string>;
  events(sessionId: string): Promise<SessionEvent[]>;
  /** Resolves when an event of this type is committed. */
  seen(sessionId: string, type: SessionEvent['type']): Promise<SessionEvent>;
  /** The same data folder opened as after a crash: the old process's lease is gone. */
  reopen(answers?: readonly ScriptedAnswer[]): Promise<TestSessions>;
  /** Another process of the same data folder, as the command line is to the server. */
  beside(): Sessions;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestSessionsOptions {
  /** Default: the system's, silent. */
  ambient?: Ambient;
  windowTokens?: number;
  lookUp?: SessionsNeeds['lookUp'];
  /** Replaces the scripted one. */
  model?: ModelClient;
  /** In addition to the standard ones. */
  tools?: readonly Tool[];
  /** Called when a command that may write there may run soon. */
  onPrepare?(writes: WriteReach): void;
  /** Called when the gate asks for the sandbox's state. */
  onSandboxState?(): void;
  keepCommandSettings?(from: string, to: string): Promise<void>;
  hooks?: SessionsNeeds['hooks'];
  watchFolder?: SessionsNeeds['watchFolder'];
  fileHistory?: SessionsNeeds['fileHistory'];
  reach?: SessionsNeeds['reach'];
  commandPrefixes?: SessionsNeeds['commandPrefixes'];
  unattended?: SessionsNeeds['unattended'];
  modelTries?: number;
  dialects?: SessionsNeeds['dialects'];
}

export async function testSessions(
  answers: readonly ScriptedAnswer[],
  options: TestSessionsOptions = {},
): Promise<TestSessions> {
  const dir = await tempDir();
  return open({
    dir: dir.path,
    answers,
    options,
    lease: 'process-1',
    dispose: async () => dir[Symbol.asyncDispose](),
  });
}

interface OpenOptions {
  dir: string;
  answers: readonly ScriptedAnswer[];
  lease: string;
  options: TestSessionsOptions;
  dispose(): Promise<void>;
}

async function open({ dir, answers, lease, options, dispose }: OpenOptions): Promise<TestSessions> {
  const written: string[] = [];
  const lock = tryLock(join(dir, 'locks', lease));
  const model = scriptedModel(answers);
  const tools: Tool[] = [readTool, writeTool(written), runTool, ...(options.tools ?? [])];
  const sessions = createSessions(needsOf({ dir, lease, model: options.model ?? model, tools, options }));
  tools.push(...sessions.ownTools);

  return {
    sessions,
    model,
    dir,
    written,
    newSession: () => newSession(dir, {}),
    start: async (settings = {}) => (await sessions.create(newSession(dir, settings))).sessionId,
    events: async (sessionId) => (await sessions.export(sessionId)).events as SessionEvent[],
    async seen(sessionId, type) {
      const stop = new AbortController();
      for await (const item of sessions.follow(sessionId, 0, stop.signal)) {
        if (item.kind !== 'events') continue;
        const found = item.events
          .map(({ json }) => JSON.parse(json) as SessionEvent)
          .find((event) => event.type === type);
        if (found) return found;
      }
      throw new Error(`${type} never came`);
    },
    beside: () => createSessions(needsOf({ dir, lease: 'process-beside', model, tools })),
    async reopen(next = []) {
      lock?.release();
      return open({ dir, answers: next, options, lease: `${lease}-next`, dispose: async () => undefined });
    },
    async [Symbol.asyncDispose]() {
      await sessions[Symbol.asyncDispose]();
      lock?.release();
      await dispose();
    },
  };
}

function needsOf(given: {
  dir: string;
  lease: string;
  model: ModelClient;
  tools: Tool[];
  options?: TestSessionsOptions;
}): SessionsNeeds {
  return {
    ambient: given.options?.ambient ?? systemAmbient('silent'),
    dataDir: given.dir,
    lease: given.lease,
    model: given.model,
    tools: async () => given.tools,
    toolSpecs: async () =>
      given.tools.map(({ name, description }): ToolSpec => ({ name, description, inputSchema: {} })),
    isControlFile: (path) => path.startsWith('.git/'),
    checkModelId: () => undefined,
    checkFallback: () => undefined,
    branchOf: async () => 'main',
    commands: {
      async runOwn({ command, cwd, signal, onText }) {
        onText(`ran ${command} in ${cwd}\n`);
        if (command === 'endless') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        return { exitCode: 0, cwd: `${cwd}/deeper`, enforcement: 'none' };
      },
      forget: async () => undefined,
      prepare: (writes) => given.options?.onPrepare?.(writes),
      async isSandboxed() {
        given.options?.onSandboxState?.();
        return true;
      },
    },
    fileHistory: given.options?.fileHistory ?? folderHistory(),
    keepCommandSettings: async (from, to) => given.options?.keepCommandSettings?.(from, to),
    windowOf: () => given.options?.windowTokens ?? null,
    ...(given.options?.lookUp && { lookUp: given.options.lookUp }),
    priceOf: () => null,
    readTextFile: async (_folder, path) => `text of ${path}`,
    recovers: true,
    modelTries: given.options?.modelTries,
    dialects: given.options?.dialects,
    ...(given.options?.hooks && { hooks: given.options.hooks }),
    watchFolder: given.options?.watchFolder,
    ...(given.options?.reach && { reach: given.options.reach }),
    ...(given.options?.commandPrefixes && { commandPrefixes: given.options.commandPrefixes }),
    ...(given.options?.unattended && { unattended: given.options.unattended }),
  };
}

function newSession(folder: string, settings: Partial<NewSession['settings']>): NewSession {
  return {
    folder: { folder, taskId: 'libero:full-access', project: 'sample', isProjectFolder: false },
    input: { message: 'fix the sum' },
    testCommand: null,
    client: 'desktop',
    settings: {
      model: 'ollama:tiny',
      plannerModel: null,
      reasoning: null,
      permissions: 'Workspace write',
      toolPermissions: null,
      mode: 'normal',
      fallbackProviders: [],
      language: null,
      ...settings,
    },
  };
}

const path = z.object({ percorso: z.string() });

const readTool: Tool<{ percorso: string }> = {
  name: 'leggi',
  description: 'reads',
  category: 'base',
  effect: 'read',
  gate: null,
  input: path,
  action: ({ percorso }) => ({ tipo: 'leggi', percorso }),
  run: async ({ percorso }) => ({ content: `content of ${percorso}` }),
};

function writeTool(written: string[]): Tool<{ percorso: string }> {
  return {
    name: 'scrivi',
    description: 'writes',
    category: 'base',
    effect: 'write',
    gate: 'scrivi',
    input: path,
    action: ({ percorso }) => ({ tipo: 'scrivi', percorso }),
    async run({ percorso }) {
      written.push(percorso);
      return { content: 'written', changes: [{ path: percorso, before: null, after: 'new text' }] };
    },
  };
}

/** The shell, for this command. */
export function shellTool(comando: string, run: Tool<Record<string, never>>['run']): Tool<Record<string, never>> {
  return {
    name: 'shell',
    description: 'runs',
    category: 'base',
    effect: 'process',
    gate: 'shell',
    input: z.object({}),
    action: () => ({ tipo: 'shell', comando }),
    run,
  };
}

/** Runs until it is stopped. */
const runTool = shellTool('wait', async (_input, { signal, progress }) => {
  progress('waiting\n');
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  const command = {
    command: 'wait',
    cwd: '/',
    stdout: '',
    stderr: '',
    exitCode: null,
    durationMs: 1,
    enforcement: 'none',
  };
  return { content: 'stopped', command };
});
