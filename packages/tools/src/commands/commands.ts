import type { WorkspaceToolsNeeds } from '../needs.ts';
import type { BlockedPaths } from '../sandbox/blocked-paths.ts';
import type { SessionNetworks } from '../sandbox/network/session-network.ts';
import { recentRefusals, type SandboxRefusalRecord } from '../sandbox/recent-refusals.ts';
import type { Sandbox, SandboxState } from '../sandbox/sandbox.ts';
import { runSelfTest, type SelfTestReport } from '../sandbox/self-test.ts';
import { type OutputSlice, type OutputWindow, readSlice, type WholeOutput, wholeOutput } from './output-slice.ts';
import type { OutputStore, StreamName } from './output-store.ts';
import type { CommandRunner } from './runner.ts';
import { runUserCommand, type UserCommand, type UserCommandEnd } from './user-command.ts';

/** What people and other domains may ask of the commands that sessions run. */
export interface Commands extends AsyncDisposable {
  /** Resolves when nothing of it is left; never rejects for what the command does. */
  runOwn(command: UserCommand): Promise<UserCommandEnd>;
  /** A piece of what a command printed; undefined when nothing is kept under that id. */
  output(sessionId: string, outputId: string, window: OutputWindow): Promise<OutputSlice | undefined>;
  /** All of one stream as it is now. */
  wholeOutput(sessionId: string, output: { outputId: string; stream: StreamName }): Promise<WholeOutput | undefined>;
  /** Ends a session's commands and deletes what they left here: outputs and temporary files. */
  forget(sessionId: string): Promise<void>;
  /** The same for sessions that are gone, and for outputs that are old or too many. For the one process that sweeps. */
  sweep(isKnownSession: (sessionId: string) => boolean | Promise<boolean>): Promise<void>;
  sandboxState(): Promise<SandboxState>;
  /** What the sandbox kept commands from, since the start; the newest first. */
  sandboxRefusals(): readonly SandboxRefusalRecord[];
  /** Tries in real sandboxed commands what the sandbox must stop. */
  testSandbox(): Promise<SelfTestReport>;
  /** Ends everything that runs. */
  [Symbol.asyncDispose](): Promise<void>;
}

export function createCommands(
  needs: WorkspaceToolsNeeds & {
    runner: CommandRunner;
    sandbox: Sandbox;
    outputs: OutputStore;
    networks: Pick<SessionNetworks, 'recent'>;
    blockedPaths: BlockedPaths;
  },
): Commands {
  const { runner, sandbox, outputs, networks, blockedPaths } = needs;
  let test: Promise<SelfTestReport> | undefined;
  return {
    runOwn: (command) => runUserCommand(needs, command),
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
      await sandbox.sweep(isKnownSession);
    },
    sandboxState: () => sandbox.state(),
    sandboxRefusals: () => recentRefusals(networks.recent(), blockedPaths.recent()),
    // Its session has one name: who asks meanwhile gets the same answer.
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
      await sandbox[Symbol.asyncDispose]();
    },
  };
}
