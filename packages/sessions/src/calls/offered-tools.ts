import type { Tool, ToolSpec } from '@fucina/shared';
import { mayUse } from '../context/agent-tools.ts';
import { MAX_DEPTH } from '../delegation.ts';
import type { SessionRecord } from '../store/store.ts';
import type { TurnNeeds } from '../turn/turn-context.ts';
import type { SessionTools } from './on-demand-tools.ts';

/**
 * A workflow step reads and answers: it changes nothing, starts no agents, and asks no user. Extensions of the project
 * were not approved with its plan.
 */
const OF_STEPS: ReadonlySet<Tool['effect']> = new Set(['read', 'network']);

interface OfferNeeds {
  tools(): Promise<readonly Tool[]>;
  toolSpecs(): Promise<readonly ToolSpec[]>;
  /** The tools that extensions of the project currently add. */
  projectOffer?(session: { sessionId: string; folder: string }): Promise<SessionTools>;
}

/** What decides which of the own tools a session is offered. */
interface Situation {
  isStep: boolean;
  isPlanning: boolean;
  isRoot: boolean;
  mayDelegate: boolean;
}

/**
 * The tools that a session currently offers its model: some only to root sessions, some only where sub-agents are allowed.
 * Where they are all its own, sessions in the same situation get the same object.
 */
export function offerOf(needs: OfferNeeds): TurnNeeds['offer'] {
  let own: SessionTools = { tools: [], specs: [] };
  const known = new Map<string, SessionTools>();
  const ofOwn = (situation: Situation): SessionTools => {
    const key = JSON.stringify(situation);
    const offered = known.get(key) ?? chosenFor(own, situation);
    known.set(key, offered);
    return offered;
  };
  return async ({ settings, header }: SessionRecord) => {
    const [tools, specs, brought] = await Promise.all([
      needs.tools(),
      needs.toolSpecs(),
      header.workflowStep ? undefined : needs.projectOffer?.(header),
    ]);
    if (own.tools !== tools || own.specs !== specs) known.clear();
    own = { tools, specs };
    const situation: Situation = {
      isStep: Boolean(header.workflowStep),
      isPlanning: settings.mode === 'plan',
      isRoot: header.parentId === null,
      mayDelegate: header.delegationDepth < MAX_DEPTH,
    };
    const { agent } = header;
    const offered = brought?.tools.length ? chosenFor(withBrought(own, brought), situation) : ofOwn(situation);
    return agent ? only(offered, ({ name }) => mayUse(agent.tools, name)) : offered;
  };
}

/** An extension may not replace an existing tool; of several with one name, which providers refuse, the first is offered. */
function withBrought(own: SessionTools, brought: SessionTools): SessionTools {
  return { tools: firstOfEach(own.tools, brought.tools), specs: firstOfEach(own.specs, brought.specs) };
}

function firstOfEach<Named extends { name: string }>(own: readonly Named[], brought: readonly Named[]): Named[] {
  const byName = new Map(own.map((one) => [one.name, one]));
  for (const one of brought) if (!byName.has(one.name)) byName.set(one.name, one);
  return [...byName.values()];
}

function chosenFor(all: SessionTools, { isStep, isPlanning, isRoot, mayDelegate }: Situation): SessionTools {
  return only(all, ({ name, effect }) =>
    isStep
      ? OF_STEPS.has(effect) || name === 'todo_write'
      : // Refused outside plan mode: a list that changed with the mode would cost the provider's cache.
        (name !== 'present_plan' || isPlanning || isRoot) &&
        (name !== 'workflow_propose' || isRoot) &&
        (name !== 'delega_sottotask' || mayDelegate),
  );
}

function only({ tools, specs }: SessionTools, isOffered: (tool: Tool) => boolean): SessionTools {
  const offered = tools.filter(isOffered);
  const names = new Set(offered.map(({ name }) => name));
  return { tools: offered, specs: specs.filter(({ name }) => names.has(name)) };
}
