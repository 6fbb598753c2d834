import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Ambient, systemAmbient, type Tool, type ToolContext, type ToolResult } from '@fucina/shared';
import { createWorkspaceTools, type WorkspaceTools } from '../src/workspace-tools.ts';

const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'fucina-data-')));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));

export const workspaceToolsOn = (data: string, ambient: Ambient = systemAmbient('silent')): WorkspaceTools =>
  createWorkspaceTools({ ambient, environment: process.env, dataDir: data });
export const { tools, commands } = workspaceToolsOn(dataDir);

/** Real time, except for time limits of this length between `hold` and `pass`: those end with `pass`. */
export function heldLimits(limitMs: number): { ambient: Ambient; hold(): void; pass(): void } {
  const system = systemAmbient('silent');
  const held = new Set<() => void>();
  let isHolding = false;
  const timer: Ambient['timer'] = (ms, act) => {
    if (ms !== limitMs || !isHolding) return system.timer(ms, act);
    held.add(act);
    return () => held.delete(act);
  };
  const hold = (): void => void (isHolding = true);
  const pass = (): void => {
    isHolding = false;
    for (const act of held) act();
    held.clear();
  };
  return { ambient: { ...system, timer }, hold, pass };
}

export const toolNamed = (name: string, among: readonly Tool[] = tools): Tool => {
  const tool = among.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

type TestContext = ToolContext & { live: string[]; seen: Map<string, string> };

export function contextOf(folder: string, extra: Partial<TestContext> = {}): TestContext {
  const live: string[] = [];
  return {
    folder,
    testCommand: null,
    sessionId: 's',
    toolCallId: 't',
    signal: new AbortController().signal,
    isWholeDisk: false,
    writes: 'folder',
    background: null,
    progress: (text) => live.push(text),
    tell: () => undefined,
    seen: new Map(),
    live,
    ...extra,
  };
}

export const run = (name: string, input: unknown, context: ToolContext): Promise<ToolResult> => {
  const tool = toolNamed(name);
  return tool.run(tool.input.parse(input), context);
};
