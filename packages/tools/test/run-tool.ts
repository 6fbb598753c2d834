import { systemAmbient, type Tool, type ToolContext, type ToolResult } from '@fucina/shared';
import { createTools } from '../src/tools.ts';

export const tools = createTools({ ambient: systemAmbient('silent'), environment: process.env });
export const named = (name: string): Tool => {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  return tool;
};

export function contextOf(folder: string, extra: Partial<ToolContext> = {}): ToolContext & { live: string[] } {
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
    seen: new Map(),
    live,
    ...extra,
  };
}

export const run = (name: string, input: unknown, context: ToolContext): Promise<ToolResult> => {
  const tool = named(name);
  return tool.run(tool.input.parse(input), context);
};
