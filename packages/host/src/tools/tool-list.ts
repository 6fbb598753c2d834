import type { SandboxRules } from '@fucina/sandbox';
import { once, type Tool, type ToolSpec } from '@fucina/shared';
import type { Commands, WorkspaceTools, WorkspaceToolsNeeds } from '@fucina/tools';

/** The tools of every session, loaded at the first turn, with their descriptions for the model, built once. */
export interface ToolList extends AsyncDisposable {
  tools(): Promise<readonly Tool[]>;
  specs(): Promise<readonly ToolSpec[]>;
  /** Runs the commands of these tools, and the user's own. */
  commands(): Promise<Commands>;
}

export interface ToolListNeeds extends Omit<WorkspaceToolsNeeds, 'rules'> {
  rules(): Promise<SandboxRules>;
  /** The id of a session, then those of its ancestors. */
  lineageOf(sessionId: string): readonly string[];
  /** Only in the process that cleans up: deletes the files of commands of deleted sessions at first use. */
  isKnownSession?: ((sessionId: string) => Promise<boolean>) | undefined;
  /** The same tools, to whose calls other domains add something. */
  changing(tools: readonly Tool[]): readonly Tool[];
  /** Tools that call a provider or a search source. */
  providerTools(): Promise<readonly Tool[]>;
  /** Tools of domains that are available from the start. */
  otherTools(): Promise<readonly Tool[]>;
  /** Tools of sessions, available only once it is open. */
  ownTools(): readonly Tool[];
}

export function createToolList({
  ownTools,
  providerTools,
  otherTools,
  changing,
  isKnownSession,
  rules,
  lineageOf,
  ...needs
}: ToolListNeeds): ToolList {
  let loaded: Promise<WorkspaceTools> | undefined;
  let listed: Promise<readonly Tool[]> | undefined;
  let described: Promise<readonly ToolSpec[]> | undefined;

  const workspaceTools = (): Promise<WorkspaceTools> => {
    // One after the other: both load the sandbox.
    loaded ??= rules().then(async (inForce) => {
      const { createWorkspaceTools } = await import('@fucina/tools');
      const made = createWorkspaceTools({
        ...needs,
        rules: { ...inForce, mode: ({ folder, sessionId }) => inForce.mode({ folder, lineage: lineageOf(sessionId) }) },
      });
      if (isKnownSession) void sweep(made.commands, isKnownSession);
      return made;
    });
    return loaded;
  };
  const sweep = async (commands: Commands, isKnown: (sessionId: string) => Promise<boolean>): Promise<void> => {
    await commands.sweep(isKnown).catch((error: unknown) => needs.ambient.log.warn('outputs.not-swept', { error }));
  };
  const tools = (): Promise<readonly Tool[]> => {
    listed ??= workspaceTools().then(async (made) =>
      changing([...made.tools, ...(await providerTools()), ...(await otherTools()), ...ownTools()]),
    );
    return listed;
  };
  return {
    tools,
    commands: async () => (await workspaceTools()).commands,
    specs() {
      described ??= tools().then(describe);
      return described;
    },
    async [Symbol.asyncDispose]() {
      await (await loaded)?.commands[Symbol.asyncDispose]();
    },
  };
}

/**
 * The tool definitions sent to a model with every request, without the limits that only the call itself checks. A schema
 * is written at its first use: most tools are offered on demand.
 */
export async function describe(tools: readonly Tool[]): Promise<ToolSpec[]> {
  const { toJSONSchema } = await import('../json-schema.ts');
  return tools.map(({ name, description, input }) => {
    const schema = once(() => {
      const { $schema: _dialect, ...inputSchema } = toJSONSchema(input, {
        io: 'input',
        override: ({ jsonSchema }) => shorten(jsonSchema),
      }) as Record<string, unknown>;
      return inputSchema;
    });
    return {
      name,
      description,
      get inputSchema() {
        return schema();
      },
    };
  });
}

function shorten(schema: Record<string, unknown>): void {
  delete schema.maxLength;
  if (schema.minLength === 1) delete schema.minLength;
  if (schema.minItems === 1) delete schema.minItems;
  // Keys are always text.
  delete schema.propertyNames;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
}
