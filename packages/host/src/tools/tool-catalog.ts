import type { CommandFacts, Sessions } from '@fucina/sessions';
import { toolTokens } from '@fucina/sessions';
import type { Ambient, GatedTool, Tool, ToolDependency, ToolPermission, ToolPermissions } from '@fucina/shared';
import type { ToolList } from './tool-list.ts';

/** A tool as the user sees it: whether it is offered, has its own permission, and can run. */
export interface OfferedTool {
  name: string;
  description: string;
  category: Tool['category'];
  /** The key of its own permission, or null if it has none. */
  gate: GatedTool | null;
  /** The session's choice; null without one, or before a session. */
  permission: ToolPermission | null;
  /** null when it needs nothing. */
  dependency: ToolDependency | null;
  /** Estimated tokens of its description in every request. */
  schemaTokens: number;
}

/** The tools by name; null, never an empty list, when they cannot be loaded. */
export interface ToolCatalog {
  list(): Promise<readonly OfferedTool[] | null>;
  /** The tools offered to the model in a session now, and the slash commands available there. Throws NOT_FOUND. */
  ofSession(sessionId: string): Promise<SessionOffer>;
}

export interface SessionOffer {
  tools: readonly OfferedTool[] | null;
  commands: readonly CommandFacts[];
}

export interface ToolCatalogNeeds {
  ambient: Ambient;
  list: Pick<ToolList, 'tools' | 'specs'>;
  sessions(): Pick<Sessions, 'read' | 'offered' | 'slashCommands'>;
}

type Offer = Awaited<ReturnType<Sessions['offered']>>;

export function createToolCatalog({ ambient, list, sessions }: ToolCatalogNeeds): ToolCatalog {
  const shown = async (offer: () => Promise<Offer>, chosen: ToolPermissions | null): Promise<OfferedTool[] | null> => {
    try {
      const { tools, specs } = await offer();
      const tokens = new Map(specs.map((spec) => [spec.name, toolTokens(spec)]));
      return await Promise.all(
        tools.map(async ({ name, description, category, gate, dependency }) => ({
          name,
          description,
          category,
          gate,
          permission: (gate && chosen?.[gate]) ?? null,
          dependency: (await dependency?.()) ?? null,
          schemaTokens: tokens.get(name) ?? 0,
        })),
      );
    } catch (error) {
      ambient.log.error('tools.not-loaded', { error });
      return null;
    }
  };

  return {
    list: () => shown(async () => ({ tools: await list.tools(), specs: await list.specs() }), null),
    async ofSession(sessionId) {
      const { settings } = await sessions().read(sessionId);
      return {
        tools: await shown(() => sessions().offered(sessionId), settings.toolPermissions),
        commands: await sessions().slashCommands(sessionId),
      };
    },
  };
}
