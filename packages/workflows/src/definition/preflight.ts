import type { Preflight, Problem } from '../store/definitions.ts';
import { type AnyHead, type AnyNode, type BudgetKey, type EdgeType, REVISABLE_KEYS } from './core.ts';
import { type Graph, phasesOf } from './graph.ts';
import { checkGraph, type GraphFacts } from './graph-rules.ts';
import { collectProblems, type Problems } from './problems.ts';

export interface PreflightNeeds {
  /** Whether a model is known; undefined if that cannot be determined. */
  isKnownModel?(model: string): boolean | undefined;
}

/** Tokens of a step's session before any output: its system prompt and its tools. */
const PROMPT_TOKENS_PER_SESSION = 3_000;
const BYTES_PER_TOKEN = 4;
const COMPLETION_TOKENS_PER_STEP = 200;
/** An agent reads a few files before it answers. */
const LIKELY_REQUESTS_PER_STEP = 4;
const WIDE_FAN = 50;
const MANY_PHASES = 3;
const RUNNABLE_EDGES: ReadonlySet<EdgeType> = new Set<EdgeType>(['control', 'data', 'review', 'merge']);

/**
 * Information for the user before approval. `errors` are violated rules: any of them rejects the definition.
 * `estimates` concern only agent steps, each assumed to run once:
 * - `steps`, `edges`, `longestPath` (consecutive steps), `widestLevel` (steps that could run together);
 * - `modelRequests`: four per step, the likely number; `modelRequestsFloor`: one per step;
 * - `promptTokensFloor`: per step 3,000 for system prompt and tools, plus a quarter of the bytes of the instructions;
 * - `completionTokensFloor`: 200 per step.
 */
export function preflight(graph: Graph, needs: PreflightNeeds = {}): Preflight {
  const { errors, facts } = checkGraph(graph);
  if (!facts) return { errors, warnings: [], estimates: {} };
  const seen = lookAt(graph, facts, needs);
  const { floors } = seen;
  const short = shortBudget(graph.head, seen);
  return {
    errors: short,
    warnings: seen.warnings.list(),
    estimates: {
      steps: facts.steps,
      edges: facts.edges,
      longestPath: facts.depth,
      widestLevel: facts.width,
      modelRequests: (floors.modelRequests ?? 0) * LIKELY_REQUESTS_PER_STEP,
      modelRequestsFloor: floors.modelRequests ?? 0,
      promptTokensFloor: floors.promptTokens ?? 0,
      completionTokensFloor: floors.completionTokens ?? 0,
    },
  };
}

interface Seen {
  warnings: Problems;
  floors: Partial<Record<BudgetKey, number>>;
  /** Whether every step is certain to run. */
  isCertain: boolean;
}

function lookAt(graph: Graph, facts: GraphFacts, needs: PreflightNeeds): Seen {
  const warnings = collectProblems();
  const seen: Seen = { warnings, floors: floorsOf(graph), isCertain: true };
  warnOfHead(graph.head, facts, seen);
  let ord = 0;
  for (const node of graph.nodes()) {
    warnOfNode(node, { followers: facts.leaving[ord] ?? 0, needs }, warnings);
    ord += 1;
  }
  const unknownEdges = new Set<EdgeType>();
  for (const { type, condition } of graph.edges()) {
    if (condition) seen.isCertain = false;
    if (!RUNNABLE_EDGES.has(type)) unknownEdges.add(type);
  }
  if (unknownEdges.size > 0) {
    warnings.add('not-runnable-yet', 'This version cannot follow edges of these types.', ...unknownEdges);
  }
  return seen;
}

function floorsOf(graph: Graph): Seen['floors'] {
  const floors = { modelRequests: 0, promptTokens: 0, completionTokens: 0 };
  for (const { kind, instructions } of graph.nodes()) {
    if (kind !== 'agent') continue;
    floors.modelRequests += 1;
    floors.completionTokens += COMPLETION_TOKENS_PER_STEP;
    floors.promptTokens +=
      PROMPT_TOKENS_PER_SESSION + Math.ceil(Buffer.byteLength(instructions ?? '') / BYTES_PER_TOKEN);
  }
  return floors;
}

function warnOfHead(head: AnyHead, { steps }: GraphFacts, { warnings, floors }: Seen): void {
  const { budgets } = head;
  if (REVISABLE_KEYS.every((key) => budgets[key] === null)) {
    warnings.add('no-budget', 'Nothing bounds what the run may use.');
  }
  for (const key of ['promptTokens', 'completionTokens'] as const) {
    const most = budgets[key];
    if (most !== null && most < (floors[key] ?? 0)) {
      warnings.add('budget-below-floor', `The steps need about ${floors[key]} at least, and ${most} are allowed.`, key);
    }
  }
  const phases = phasesOf(head).length;
  if (phases >= MANY_PHASES && phases === steps) {
    warnings.add('one-step-per-phase', 'Every phase has one step: the phases say nothing that the steps do not.');
  }
}

interface Around {
  /** Steps that wait for it. */
  followers: number;
  needs: PreflightNeeds;
}

function warnOfNode(node: AnyNode, { followers, needs }: Around, warnings: Problems): void {
  const { id, kind, capabilityProfile, modelPolicy, outputs, instructions } = node;
  if (kind !== 'agent') warnings.add('not-runnable-yet', `This version cannot run a step of kind ${kind}.`, id);
  else if (!instructions?.trim()) warnings.add('no-instructions', 'The agent is not told what to do.', id);
  if (capabilityProfile !== 'read') warnings.add('can-write', `The step may change files: ${capabilityProfile}.`, id);
  if (followers > WIDE_FAN) warnings.add('wide-fan', `${followers} steps wait for this one.`, id);
  if (followers === 0 && outputs.length === 0) {
    warnings.add('leads-nowhere', 'The step has no output, and nothing waits for it.', id);
  }
  if (modelPolicy.model !== null && needs.isKnownModel?.(modelPolicy.model) === false) {
    warnings.add('model-unknown', `Nothing is known here of the model ${modelPolicy.model}.`, id);
  }
}

/** A run that is certain to end before all steps are done is not a valid plan. */
function shortBudget({ budgets }: AnyHead, { floors, isCertain }: Seen): readonly Problem[] {
  const most = budgets.modelRequests;
  const least = floors.modelRequests ?? 0;
  if (!isCertain || most === null || most >= least) return [];
  const message = `${least} steps need a model request each, and ${most} are allowed.`;
  return [{ code: 'budget-cannot-suffice', message, subjects: ['modelRequests'] }];
}
