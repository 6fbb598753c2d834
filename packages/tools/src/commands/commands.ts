import {
  type BlockedPaths,
  type ContainedPrograms,
  recentRefusals,
  runSelfTest,
  type Sandbox,
  type SandboxRefusalRecord,
  type SandboxState,
  type SelfTestReport,
  type SessionNetworks,
} from '@fucina/sandbox';
import type { WorkspaceToolsNeeds } from '../needs.ts';
import type { StreamName } from './output-recorder.ts';
import { type OutputSlice, type OutputWindow, readSlice, type WholeOutput, wholeOutput } from './output-slice.ts';
import type { OutputStore } from './output-store.ts';
import type { CommandRunner } from './runner.ts';
import { runScript, type ScriptCommand, type ScriptEnd } from './script-command.ts';
import { runUserCommand, type UserCommand, type UserCommandEnd } from './user-command.ts';

/** Commands of sessions, for the user and other domains. */
export interface Commands extends AsyncDisposable {
  /** Resolves when all of its processes have ended; never rejects for a failing command. */
  runOwn(command: UserCommand): Promise<UserCommandEnd>;
  /** In the sandbox, as commands of a session; never rejects for a failing script. */
  runScript(script: ScriptCommand): Promise<ScriptEnd>;
  /** A range of a command's output; undefined when nothing is stored under that id. */
  output(sessionId: string, outputId: string, window: OutputWindow): Promise<OutputSlice | undefined>;
  /** The whole current content of one stream. */
  wholeOutput(sessionId: string, output: { outputId: string; stream: StreamName }): Promise<WholeOutput | undefined>;
  /** Ends a session's commands and deletes their outputs and temporary files. */
  forget(sessionId: string): Promise<void>;
  /**
   * The same for deleted sessions, and for outputs that are old or above the limit. Only for the process that cleans
   * up.
   */
  sweep(isKnownSession: (sessionId: string) => boolean | Promise<boolean>): Promise<void>;
  sandboxState(): Promise<SandboxState>;
  /** Accesses that the sandbox blocked since the start, newest first. */
  sandboxRefusals(): readonly SandboxRefusalRecord[];
  /** Servers that the commands of a session run in the sandbox; undefined while they have no network of their own. */
  servers: SessionNetworks['servers'];
  /** Programs beside the sessions, sandboxed like commands. */
  programs: Pick<ContainedPrograms, 'contain'>;
  /** Tests with real sandboxed commands what the sandbox must block. */
  testSandbox(): Promise<SelfTestReport>;
  /** Ends all running commands. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function createCommands(
  needs: WorkspaceToolsNeeds & {
    runner: CommandRunner;
    sandbox: Sandbox;
    outputs: OutputStore;
    networks: Pick<SessionNetworks, 'recent' | 'servers'>;
    blockedPaths: BlockedPaths;
    programs: ContainedPrograms;
  },
): Commands {
  const { runner, sandbox, outputs, networks, blockedPaths, programs } = needs;
  let test: Promise<SelfTestReport> | undefined;
  return {
    runOwn: (command) => runUserCommand(needs, command),
    runScript: (script) => runScript(needs, script),
    async output(sessionId, outputId, window) {
      const kept = await outputs.find(sessionId, outputId, window.stream);
      return kept && readSlice(kept, window);
    },
    wholeOutput: (sessionId, output) => wholeOutput(outputs, sessionId, output),
    async forget(sessionId) {
      await runner.forget(sessionId);
      blockedPaths.forget(sessionId);
      await Promise.all([outputs.forget(sessionId), sandbox.forget(sessionId), needs.rules?.forget(sessionId)]);
    },
    async sweep(isKnownSession) {
      await outputs.sweep(isKnownSession);
      await sandbox.sweep((name) => programs.isRunning(name) || isKnownSession(name));
    },
    servers: networks.servers,
    programs,
    sandboxState: () => sandbox.state(),
    sandboxRefusals: () => recentRefusals(networks.recent(), blockedPaths.recent()),
    // The name of its session is cached: concurrent requests share one answer.
    testSandbox() {
      test ??= runSelfTest({
        ...needs,
        ...needs.network,
        ownPorts: needs.network?.ownPorts ?? (() => []),
        mode: (session) => needs.rules?.mode(session) ?? 'listed',
      }).finally(() => (test = undefined));
      return test;
    },
    async [Symbol.asyncDispose]() {
      await runner.stopAll();
      outputs.flush();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
