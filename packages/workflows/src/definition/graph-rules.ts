import { textStart } from '@fucina/shared';
import type * as z from 'zod';
import type { Problem } from '../store/definitions.ts';
import { packAdjacency, readAdjacency } from './adjacency.ts';
import {
  type AnyHead,
  type AnyNode,
  definitionHeadV1,
  edge as edgeShape,
  definitionHead as headShape,
  isDependency,
  node as nodeShape,
  nodeV1,
  type WorkflowEdge,
} from './core.ts';
import { checkEdge, type EdgeContext } from './edge-rules.ts';
import { type Graph, phaseIdOf, phasesOf } from './graph.ts';
import { checkNode, keysOf } from './node-rules.ts';
import { type PortTable, portTable } from './port-table.ts';
import { collectProblems, type Problems } from './problems.ts';
import { repeated } from './repeated.ts';
import { cycleGroups, levelsOf, separateParts } from './shape.ts';

/** Results of a check of a valid graph. */
export interface GraphFacts {
  steps: number;
  edges: number;
  /** Steps on the longest path. */
  depth: number;
  /** Steps that could run in parallel. */
  width: number;
  /** Per step, by its position: the number of its waiting edges. */
  leaving: Int32Array;
}

export interface GraphCheck {
  errors: readonly Problem[];
  /** Absent when there are errors. */
  facts?: GraphFacts;
}

/**
 * Checks all rules of a definition, including its shape. Iterates steps and edges twice; memory use is a few numbers
 * per step and edge, plus the ids of the steps.
 */
export function checkGraph(graph: Graph): GraphCheck {
  const problems = collectProblems();
  if (!checkHead(graph.head, problems)) return { errors: problems.list() };
  const steps = checkNodes(graph, problems);
  const ends = checkEdges(graph, steps, problems);
  checkAcceptance(graph.head, steps.ports, problems);
  // Global rules are checked only if the parts are valid: otherwise one wrong id would be reported many times.
  if (problems.total() > 0) return { errors: problems.list() };
  const facts = checkWhole(graph.head, { steps, ends }, problems);
  return problems.total() > 0 ? { errors: problems.list() } : { errors: [], facts };
}

function checkHead(head: AnyHead, problems: Problems): boolean {
  const isFirstShape = (head as { definitionSchemaVersion?: unknown }).definitionSchemaVersion === 1;
  const { error } = (isFirstShape ? definitionHeadV1 : headShape).safeParse(head);
  if (error) {
    problems.add('definition-malformed', ...problemOf(error));
    return false;
  }
  for (const [code, ids] of [
    ['phase-repeated', phasesOf(head).map(({ id }) => id)],
    ['acceptance-repeated', head.acceptance.map(({ id }) => id)],
  ] as const) {
    for (const id of repeated(ids.length, () => ids)) problems.add(code, `${id} is there more than once.`, id);
  }
  return true;
}

interface Steps {
  ids: string[];
  ordOf: ReadonlyMap<string, number>;
  ports: PortTable;
  loops: ReadonlySet<number>;
}

function checkNodes(graph: Graph, problems: Problems): Steps {
  const { head } = graph;
  const shape = 'phases' in head ? nodeShape : nodeV1;
  const ids: string[] = [];
  const ordOf = new Map<string, number>();
  const ports = portTable();
  const loops = new Set<number>();
  const inPhase = new Map(phasesOf(head).map(({ id }) => [id, 0]));
  let agents = 0;
  for (const node of graph.nodes()) {
    if (isTooDeep(node, problems) || !isShaped(shape, node, problems)) continue;
    if (ordOf.has(node.id)) problems.add('step-repeated', `${node.id} is there more than once.`, node.id);
    if (node.kind === 'loop') loops.add(ids.length);
    if (node.kind === 'agent') agents += 1;
    ordOf.set(node.id, ids.length);
    ids.push(node.id);
    ports.add(node);
    const phase = phaseIdOf(node);
    const count = inPhase.get(phase);
    if (count === undefined) problems.add('phase-unknown', `There is no phase ${phase}.`, node.id, phase);
    else inPhase.set(phase, count + 1);
    checkNode(node, head, problems);
  }
  for (const [id, count] of inPhase) if (count === 0) problems.add('phase-empty', `No step is in phase ${id}.`, id);
  const { maxLogicalNodes, maxAgentSessions } = head.limits;
  checkCounts({ steps: [ids.length, maxLogicalNodes], agents: [agents, maxAgentSessions] }, problems);
  return { ids, ordOf, ports, loops };
}

/** Edges by position: [from, to] of each, and whether it makes the target wait. */
interface Ends {
  total: number;
  pairs: Int32Array;
  waits: Uint8Array;
}

function checkEdges(graph: Graph, { ids, ordOf, ports, loops }: Steps, problems: Problems): Ends {
  const known: EdgeContext = ports;
  const leaving = new Int32Array(ids.length);
  const ends: Ends = { total: 0, pairs: new Int32Array(2_048), waits: new Uint8Array(1_024) };
  let total = 0;
  for (const edge of graph.edges()) {
    total += 1;
    if (!isShaped(edgeShape, edge, problems)) continue;
    const from = ordOf.get(edge.from);
    const to = ordOf.get(edge.to);
    if (from === undefined || to === undefined) {
      const absent = from === undefined ? edge.from : edge.to;
      problems.add('edge-step-unknown', `There is no step ${absent}.`, edge.id, absent);
      continue;
    }
    if (from === to && !loops.has(from)) {
      problems.add('edge-to-itself', 'Only a loop leads to itself.', edge.id, edge.from);
    }
    keepEnds(ends, from, to);
    ends.waits[ends.total - 1] = isDependency(edge.type) ? 1 : 0;
    leaving[from] = (leaving[from] as number) + 1;
    checkEdge(edge, known, problems);
  }
  for (const id of repeated(total, () => idsOf(graph.edges()))) {
    problems.add('edge-repeated', `${id} is there more than once.`, id);
  }
  const { maxEdges, maxFanoutPerNode } = graph.head.limits;
  checkCounts({ edges: [total, maxEdges] }, problems);
  for (const [ord, count] of leaving.entries()) {
    if (count > maxFanoutPerNode)
      problems.add('fan-too-wide', `More than ${maxFanoutPerNode} edges leave it.`, ids[ord] as string);
  }
  return ends;
}

function keepEnds(ends: Ends, from: number, to: number): void {
  if (ends.total === ends.waits.length) {
    const pairs = new Int32Array(ends.pairs.length * 2);
    const waits = new Uint8Array(ends.waits.length * 2);
    pairs.set(ends.pairs);
    waits.set(ends.waits);
    Object.assign(ends, { pairs, waits });
  }
  ends.pairs[ends.total * 2] = from;
  ends.pairs[ends.total * 2 + 1] = to;
  ends.total += 1;
}

function checkCounts(counts: Record<string, readonly [count: number, most: number]>, problems: Problems): void {
  for (const [what, [count, most]] of Object.entries(counts)) {
    if (count > most) problems.add(`too-many-${what}`, `${count} ${what}, and the limit is ${most}.`);
  }
}

function checkAcceptance({ acceptance }: AnyHead, ports: PortTable, problems: Problems): void {
  for (const { id, source, predicate } of acceptance) {
    const { op, value, comparison } = predicate;
    if (!ports.outputsOf(source.nodeId)?.has(source.output)) {
      problems.add('acceptance-source-unknown', `There is no output ${source.output} of ${source.nodeId}.`, id);
    }
    const isFit =
      op === 'boolean-equals'
        ? typeof value === 'boolean'
        : op === 'number-compare'
          ? typeof value === 'number' && comparison !== undefined
          : true;
    if (!isFit) problems.add('acceptance-predicate', `${op} has nothing to compare with.`, id);
  }
}

interface Parts {
  steps: Steps;
  ends: Ends;
}

function checkWhole({ limits }: AnyHead, { steps, ends }: Parts, problems: Problems): GraphFacts {
  const { ids } = steps;
  const waiting = readAdjacency(
    ids.length,
    packAdjacency(ids.length, () => pairsOf(ends, true)),
  );
  const levels = levelsOf(waiting);
  for (const ord of separateParts(ids.length, pairsOf(ends, false))) {
    problems.add('not-connected', 'No edge joins this part to the rest.', ids[ord] as string);
  }
  if (levels.endless > 0) {
    problems.add('cycle-without-retry', 'Steps wait for each other for ever.', ...named(steps, levels.of));
  }
  checkCycles(steps, ends, problems);
  if (levels.depth > limits.maxDepth) {
    problems.add('too-deep', `${levels.depth} steps follow on each other, and the limit is ${limits.maxDepth}.`);
  }
  const leaving = Int32Array.from(ids, (_, ord) => waiting.of(ord).length);
  return { steps: ids.length, edges: ends.total, depth: levels.depth, width: levels.width, leaving };
}

/** A cycle needs exactly one loop step. */
function checkCycles(steps: Steps, ends: Ends, problems: Problems): void {
  const every = readAdjacency(
    steps.ids.length,
    packAdjacency(steps.ids.length, () => pairsOf(ends, false)),
  );
  if (levelsOf(every).endless === 0) return;
  const unled = levelsOf(every, steps.loops);
  if (unled.endless > 0) {
    problems.add('cycle-without-loop', 'No loop leads this cycle.', ...named(steps, unled.of));
  }
  const group = cycleGroups(every);
  const leaders = new Map<number, number>();
  for (const loop of steps.loops) {
    const circle = group[loop] as number;
    const other = leaders.get(circle);
    if (other === undefined) leaders.set(circle, loop);
    else {
      const both = [steps.ids[other] as string, steps.ids[loop] as string];
      problems.add('cycle-with-two-loops', 'Two loops lead the same cycle.', ...both);
    }
  }
}

/** Steps without a level. */
function named({ ids }: Steps, levels: Int32Array): string[] {
  return ids.filter((_, ord) => levels[ord] === -1).slice(0, 10);
}

function* pairsOf({ total, pairs, waits }: Ends, onlyWaiting: boolean): Iterable<readonly [number, number]> {
  for (let at = 0; at < total; at += 1) {
    if (!onlyWaiting || waits[at]) yield [pairs[at * 2] as number, pairs[at * 2 + 1] as number];
  }
}

/** Checked before the schema, whose recursion could be too deep. */
function isTooDeep(node: AnyNode, problems: Problems): boolean {
  const { id, metadata } = (node ?? {}) as { id?: unknown; metadata?: unknown };
  if (keysOf(metadata) !== Number.POSITIVE_INFINITY) return false;
  const subjects = typeof id === 'string' ? [textStart(id, 128)] : [];
  problems.add('metadata-too-deep', 'The notes of the step go over four levels deep.', ...subjects);
  return true;
}

/** Reports violations; true if there are none. */
function isShaped(shape: z.ZodType, row: AnyNode | WorkflowEdge, problems: Problems): boolean {
  const { error } = shape.safeParse(row);
  if (!error) return true;
  const [message, ...fields] = problemOf(error);
  const id = (row as { id?: unknown } | null)?.id;
  const code = shape === edgeShape ? 'edge-malformed' : 'step-malformed';
  problems.add(code, message, ...(typeof id === 'string' ? [textStart(id, 128)] : []), ...fields);
  return false;
}

/** The first problem, and its path. */
function problemOf({ issues: [issue] }: z.ZodError): [message: string, ...fields: string[]] {
  return [issue?.message ?? 'It does not have the shape of a definition.', (issue?.path ?? []).join('.').slice(0, 128)];
}

function* idsOf(edges: Iterable<WorkflowEdge>): Iterable<string> {
  for (const edge of edges) yield String((edge as { id?: unknown } | null)?.id);
}
