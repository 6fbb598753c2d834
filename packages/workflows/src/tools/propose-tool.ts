import type { Tool, ToolResult } from '@fucina/shared';
import type { Budgets } from '../definition/core.ts';
import { compileDraft, type Draft, draftShape } from '../definition/draft.ts';
import { graphOf } from '../definition/graph.ts';
import type { Proposals } from '../proposals/proposals.ts';
import type { Problem } from '../store/definitions.ts';

/** The session that proposes. */
export interface Proposer {
  /** False for a sub-agent's session. */
  isRoot: boolean;
  plannerModel: string | null;
  sessionModel: string | null;
}

export interface ProposeToolNeeds {
  proposals: Proposals;
  proposerOf(sessionId: string): Promise<Proposer>;
}

const MAX_LISTED = 10;

/** Shows the user a plan of many agents. Starts nothing: the user approves and starts it. */
export function createProposeTool({ proposals, proposerOf }: ProposeToolNeeds): Tool<Draft> {
  return {
    name: 'workflow_propose',
    description:
      'Propose a workflow: steps that each run as a separate read-only agent, in dependency order, in parallel where ' +
      'possible. For work too large for one conversation. Every step gets its instructions and the results of the steps ' +
      'in its dependsOn, and nothing else: write self-contained instructions. All steps must be connected: end with one ' +
      'that depends on the last ones and combines their results. The user reviews, approves and starts the proposal in ' +
      'the window; you are notified of the outcome. Propose again to change it.',
    category: 'extended',
    effect: 'dialogue',
    gate: null,
    input: draftShape,
    action: ({ title, steps }) => ({ tipo: 'workflow_propose', titolo: title, passi: steps.length }),
    async run(draft, { sessionId, toolCallId }) {
      const proposer = await proposerOf(sessionId);
      if (!proposer.isRoot) {
        return { content: 'Only the agent the user talks to can propose a workflow.', isError: true };
      }
      const { plannerModel, sessionModel } = proposer;
      const core = compileDraft(draft);
      const made = await proposals.propose({ sessionId, toolCallId, graph: graphOf(core), plannerModel, sessionModel });
      if ('errors' in made) return refusal(draft, made.errors);
      const { workflowId, version, definitionHash, preflight } = made;
      const warned = preflight.warnings.slice(0, MAX_LISTED).map(({ message }) => `- ${message}`);
      return {
        content: [
          `Proposed, and not started: workflow ${workflowId}, version ${version} (${definitionHash}).`,
          `The user must approve and start it in the window. It may use ${boundsOf(core.budgets)}.`,
          ...(warned.length > 0 ? ['The user is shown these remarks:', ...warned] : []),
        ].join('\n'),
      };
    },
  };
}

function boundsOf({ modelRequests, promptTokens, completionTokens, toolCalls, wallMs, knownCostUsd }: Budgets): string {
  const bounds: [number | null, string][] = [
    [modelRequests, 'model requests'],
    [promptTokens, 'prompt tokens'],
    [completionTokens, 'completion tokens'],
    [toolCalls, 'tool calls'],
    [wallMs === null ? null : Math.ceil(wallMs / 60_000), 'minutes of all steps together'],
    [knownCostUsd, 'US dollars'],
  ];
  const said = bounds.flatMap(([amount, what]) => (amount === null ? [] : [`${amount} ${what}`]));
  return said.length > 0 ? `at most ${said.join(', ')}` : 'any amount: no budget is set';
}

/** What to change in the draft, rule by rule, in the terms of the draft. */
const ADVICE: Readonly<Record<string, (subjects: string) => string>> = {
  'step-repeated': (ids) => `Two steps have the id ${ids}: give each its own.`,
  'phase-repeated': (ids) => `Two phases have the id ${ids}: give each its own.`,
  'phase-empty': (ids) => `No step is in the phase ${ids}: drop it or give it a step.`,
  'phase-unknown': (ids) => `Step and phase ${ids}: that phase is not among the phases.`,
  'edge-step-unknown': (ids) => `dependsOn names ${ids}, which is no step: use the id of a step.`,
  'edge-to-itself': (ids) => `The step ${ids} depends on itself.`,
  'cycle-without-retry': (ids) => `These steps wait for each other for ever: ${ids}. Take one dependsOn away.`,
  'not-connected': (ids) => `Nothing joins ${ids} to the rest: add a step that depends on both, or propose it apart.`,
  'budget-cannot-suffice': () => 'budgets.modelRequests is below one request for each step: raise it or leave it out.',
};

function refusal({ steps }: Draft, errors: readonly Problem[]): ToolResult {
  const stepIds = new Set(steps.map(({ id }) => id));
  const byCode = new Map<string, Set<string>>();
  const others: string[] = [];
  for (const { code, message, subjects } of errors) {
    // A draft has no loops: its cycles are reported as steps that wait for each other.
    if (code === 'cycle-without-loop') continue;
    // Edge ids are generated: the model never saw them.
    const own = code === 'edge-step-unknown' ? subjects.slice(1) : subjects;
    const shown = code === 'edge-to-itself' ? own.filter((subject) => stepIds.has(subject)) : own;
    if (!ADVICE[code]) others.push(`${message} (${shown.join(', ')})`);
    else for (const subject of shown) byCode.set(code, (byCode.get(code) ?? new Set()).add(subject));
  }
  const advice = [...byCode].flatMap(([code, subjects]) => ADVICE[code]?.([...subjects].join(', ')) ?? []);
  const lines = [...advice, ...others].slice(0, MAX_LISTED).map((line) => `- ${line}`);
  return { content: ['Not proposed. Fix the draft and call again:', ...lines].join('\n'), isError: true };
}
