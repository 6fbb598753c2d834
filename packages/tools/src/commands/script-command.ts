import type { Enforcement, Sandbox } from '@fucina/sandbox';
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
}

const PREFIX = 'script-';

/** Whether commands under this id belong to such a script: there is nobody to ask about a host that it wants to reach. */
export const isScript = (sessionId: string): boolean => sessionId.startsWith(PREFIX);

interface ScriptNeeds extends ToolsNeeds {
  runner: CommandRunner;
  sandbox: Sandbox;
  outputs: OutputStore;
}

/** Resolves when all of its processes have ended, with nothing of it left but what it wrote in the folder. */
export async function runScript(needs: ScriptNeeds, script: ScriptCommand): Promise<ScriptEnd> {
  const { runner, sandbox, outputs } = needs;
  const { id, command, folder, signal, onText } = script;
  const sessionId = `${PREFIX}${id}`;
  const cleaner = createTerminalText();
  const write = (text: string): void => onText(cleaner.write(text).replaceAll(/\r+\n?/g, '\n'));
  const job = { sessionId, commandId: id, command, folder, cwd: folder, writes: 'folder' as const, onText: write };
  try {
    const running = await runner.start(job, signal).catch(refusalMessage);
    if (typeof running === 'string') {
      write(`${running}\n`);
      return { exitCode: null, enforcement: 'none' };
    }
    const { exitCode, problem } = await running.done;
    for (const sentence of running.notices()) write(`${sentence}\n`);
    return { exitCode, enforcement: running.enforcement, ...(problem !== undefined && { problem }) };
  } finally {
    await runner.forget(sessionId);
    await Promise.all([outputs.forget(sessionId), sandbox.forget(sessionId)]);
  }
}
