import { readAgentDefinitions } from './context/agent-definitions.ts';
import { answeringModel } from './state/answering-model.ts';
import type { AgentTools, SessionAgent } from './state/session.ts';
import type { SessionRecord } from './store/store.ts';

/** What a sub-agent of some kind starts with. */
export interface AgentKind {
  agent: SessionAgent | undefined;
  /** Undefined: that of the session. */
  model: string | undefined;
  /** What of the definition does not apply here. */
  notApplied: string[];
}

export const NO_KIND: AgentKind = { agent: undefined, model: undefined, notApplied: [] };

interface KindNeeds {
  /** Null for an unknown model. */
  windowOf(model: string): number | null;
}

/** As the folder of the parent defines it now; a refusal is text for the model. */
export async function agentKind(
  { header, settings, fold }: SessionRecord,
  wanted: string,
  needs: KindNeeds,
): Promise<AgentKind | { refused: string }> {
  const { agents } = await readAgentDefinitions(header.folder);
  const found = agents.find(({ name }) => name === wanted);
  if (!found) {
    const names = agents.map(({ name }) => name).join(', ') || 'none';
    return { refused: `There is no agent with this name. Agents of the project: ${names}.` };
  }
  const { name, prompt, unknownTools, model: asked } = found;
  const model = asked && knownModel(asked, answeringModel({ settings, fold }), needs);
  return {
    agent: { name, prompt, tools: narrowed(header.agent?.tools, found.tools) },
    model: model || undefined,
    notApplied: [
      ...unknownTools.map((tool) => `unknown tool: ${tool}`),
      ...(asked && !model ? [`model ${asked}: not a known model of this session's provider, so its own is used`] : []),
    ],
  };
}

/** An agent without a tool does not get it through one that it starts. */
function narrowed(parent: AgentTools | undefined, { allowed, denied }: AgentTools): AgentTools {
  if (!parent) return { allowed, denied };
  const outer = parent.allowed;
  const both = outer && allowed ? allowed.filter((name) => outer.includes(name)) : (outer ?? allowed);
  return { allowed: both, denied: [...parent.denied, ...denied] };
}

const providerIn = (model: string): string => /^([\w-]+):/.exec(model)?.[1] ?? '';

/** Only of the session's own provider: a file of the project must not send its content to another one. */
function knownModel(asked: string, current: string, { windowOf }: KindNeeds): string | undefined {
  const provider = providerIn(current);
  const model = provider && !asked.startsWith(`${provider}:`) ? `${provider}:${asked}` : asked;
  if (providerIn(model) !== provider) return undefined;
  return model === current || windowOf(model) !== null ? model : undefined;
}
