import type { Ambient, Environment, Tool, ToolSpec } from '@fucina/shared';

/** The tools every session offers, loaded at the first turn, and their description for the model, made once. */
export interface ToolList {
  tools(): Promise<readonly Tool[]>;
  specs(): Promise<readonly ToolSpec[]>;
}

export interface ToolListNeeds {
  ambient: Ambient;
  environment: Environment;
  /** Those of sessions, which are there only once it is open. */
  ownTools(): readonly Tool[];
}

export function createToolList({ ownTools, ...needs }: ToolListNeeds): ToolList {
  let loaded: Promise<readonly Tool[]> | undefined;
  let described: Promise<readonly ToolSpec[]> | undefined;

  const tools = (): Promise<readonly Tool[]> => {
    loaded ??= import('@fucina/tools').then(({ createTools }) => [...createTools(needs), ...ownTools()]);
    return loaded;
  };
  return {
    tools,
    specs() {
      described ??= tools().then(describe);
      return described;
    },
  };
}

async function describe(tools: readonly Tool[]): Promise<ToolSpec[]> {
  const { toJSONSchema } = await import('zod');
  return tools.map(({ name, description, input }) => {
    const { $schema: _dialect, ...inputSchema } = toJSONSchema(input, { io: 'input' }) as Record<string, unknown>;
    return { name, description, inputSchema };
  });
}
