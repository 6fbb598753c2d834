import {
  type BlockedPaths,
  type Enforcement,
  recentRefusals,
  type Sandbox,
  type SandboxRefusalRecord,
  type SessionNetworks,
} from '@fucina/sandbox';
import { textEnd } from '@fucina/shared';
import type { ToolsNeeds } from '../needs.ts';
import { createTerminalText } from '../terminal-text.ts';
import { refusalMessage } from './foreground.ts';
import type { OutputStore } from './output-store.ts';
import type { CommandRunner } from './runner.ts';

/** A trusted script of a project, which belongs to no session. */
export interface ScriptCommand {
  /** One at a time has it. */
  id: string;
  command: string;
  /** Absolute real path; the script can write in it as commands of a session can. */
  folder: string;
  /** Further absolute real paths that it reads. */
  reads?: readonly string[];
  signal: AbortSignal;
  /** All its output as it arrives, cleaned. */
  onText(text: string): void;
}

export interface ScriptEnd {
  /** Null after a signal, or when it never started. */
  exitCode: number | null;
  enforcement: Enforcement;
  /** The system's error code when the start failed. */
  problem?: string;
  /** What the sandbox refused to it. */
  refused: readonly SandboxRefusalRecord[];
}

const PREFIX = 'script-';
/** The end of the output, in which refused files are looked for. */
const LOOKED_AT = 20_000;

/** Whether commands under this id belong to such a script: there is nobody to ask about a host that it wants to reach. */
export const isScript = (sessionId: string): boolean => sessionId.startsWith(PREFIX);

interface ScriptNeeds extends ToolsNeeds {
  runner: CommandRunner;
  sandbox: Sandbox;
  outputs: OutputStore;
  networks: Pick<SessionNetworks, 'recent'>;
  blockedPaths: BlockedPaths;
}

/** Resolves when all of its processes have ended, with nothing of it left but what it wrote in the folder. */
export async function runScript(needs: ScriptNeeds, script: ScriptCommand): Promise<ScriptEnd> {
  const { runner, sandbox, outputs } = needs;
  const { id, command, folder, reads, signal, onText } = script;
  const sessionId = `${PREFIX}${id}`;
  const cleaner = createTerminalText();
  let output = '';
  const write = (text: string): void => {
    const clean = cleaner.write(text).replaceAll(/\r+\n?/g, '\n');
    output = textEnd(output + clean, LOOKED_AT);
    onText(clean);
  };
  const place = { folder, cwd: folder, writes: 'folder' as const, ...(reads && { reads }) };
  const job = { ...place, sessionId, commandId: id, command, onText: write };
  try {
    const running = await runner.start(job, signal).catch(refusalMessage);
    if (typeof running === 'string') {
      write(`${running}\n`);
      return { exitCode: null, enforcement: 'none', refused: [] };
    }
    const { exitCode, problem } = await running.done;
    for (const sentence of running.notices()) write(`${sentence}\n`);
    const { enforcement } = running;
    const refused = enforcement === 'none' ? [] : await refusedTo(needs, { sessionId, folder, output, exitCode });
    return { exitCode, enforcement, refused, ...(problem !== undefined && { problem }) };
  } finally {
    await runner.forget(sessionId);
    needs.blockedPaths.forget(sessionId);
    await Promise.all([outputs.forget(sessionId), sandbox.forget(sessionId)]);
  }
}

/** Hosts in any case; files only if it failed, since programs try places that need not exist. */
async function refusedTo(
  { networks, blockedPaths }: Pick<ScriptNeeds, 'networks' | 'blockedPaths'>,
  { exitCode, ...failed }: { sessionId: string; folder: string; output: string; exitCode: number | null },
): Promise<readonly SandboxRefusalRecord[]> {
  const hosts = networks.recent().filter(({ sessionId }) => sessionId === failed.sessionId);
  return recentRefusals(hosts, exitCode === 0 ? [] : await blockedPaths.find(failed));
}
