import type { CommandFacts, Sessions } from '@fucina/sessions';
import { toolTokens } from '@fucina/sessions';
import type { Ambient, GatedTool, Tool, ToolDependency, ToolPermission, ToolPermissions } from '@fucina/shared';
import type { ToolList } from './tool-list.ts';

/** A tool as a user sees it: that it is offered, whether it has a permission of its own, whether what it needs is there. */
export interface OfferedTool {
  name: string;
  description: string;
  category: Tool['category'];
  /** The key of its own permission, or null where none exists. */
  gate: GatedTool | null;
  /** What the session chose for it; null without a choice, or before a session. */
  permission: ToolPermission | null;
  /** null where it needs nothing. */
  dependency: ToolDependency | null;
  /** Estimated tokens its description takes of every request that has it. */
  schemaTokens: number;
}

/** The tools by name; null, never an empty list, when they cannot be loaded. */
export interface ToolCatalog {
  list(): Promise<readonly OfferedTool[] | null>;
  /** What the model is offered in a session now, and the slash commands a user can type there. Throws NOT_FOUND. */
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
