import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  arbitraryCore,
  edgeWith,
  graphOfWidth,
  headWith,
  nodeWith,
  stepChain,
  toCoreV1,
  unboundedBudgets,
} from '../../test/cores.ts';
import type { AnyHead, DefinitionCore, WorkflowEdge, WorkflowNode } from './core.ts';
import { graphOf } from './graph.ts';
import { checkGraph } from './graph-rules.ts';

const codesOf = (core: DefinitionCore): string[] => [
  ...new Set(checkGraph(graphOf(core)).errors.map(({ code }) => code)),
];

const withNodes = (nodes: WorkflowNode[], edges: WorkflowEdge[] = []): DefinitionCore => ({
  ...headWith(),
  nodes,
  edges,
});
const oneStep = (changes: Partial<WorkflowNode>): DefinitionCore => withNodes([nodeWith('a', changes)]);
const loop = nodeWith('loop', { kind: 'loop', control: { type: 'loop', maxIterations: 3 } });
const mapped = (changes: Partial<WorkflowEdge>): DefinitionCore =>
  withNodes(
    [
      nodeWith('a'),
      nodeWith('b', {
        inputs: [
          { name: 'count', type: 'integer', required: true },
          { name: 'in', type: 'text', required: false },
        ],
      }),
    ],
    [edgeWith('a', 'b', { type: 'data', ...changes })],
  );
const deep = (depth: number): unknown => (depth === 0 ? 1 : { inner: deep(depth - 1) });

describe('graph validation', () => {
  test('accepts a chain, a bounded loop and a graph with every edge type', () => {
    expect(codesOf(stepChain('a', 'b', 'c'))).toEqual([]);
    expect(codesOf(oneStep({}))).toEqual([]);
    const led = withNodes(
      [loop, nodeWith('body')],
      [
        edgeWith('loop', 'body'),
        edgeWith('body', 'loop', { type: 'retry' }),
        edgeWith('loop', 'loop', { type: 'retry' }),
      ],
    );
    expect(codesOf(led)).toEqual([]);
    expect(checkGraph(graphOf(toCoreV1(stepChain('a', 'b')))).errors).toEqual([]);
    expect(codesOf(mapped({ mapping: [{ output: 'result', input: 'in', type: 'text' }] }))).toEqual([]);
  });

  test.each<[code: string, core: DefinitionCore]>([
    ['definition-malformed', { ...stepChain('a'), title: '' }],
    ['definition-malformed', { ...stepChain('a'), secret: 1 } as DefinitionCore],
    ['phase-repeated', { ...stepChain('a'), phases: [...headWith().phases, ...headWith().phases] }],
    ['phase-empty', { ...stepChain('a'), phases: [...headWith().phases, { id: 'rest', label: 'Rest' }] }],
    ['phase-unknown', oneStep({ phaseId: 'nowhere' })],
    ['step-malformed', oneStep({ instructions: 'x'.repeat(33_000) })],
    ['step-malformed', oneStep({ priority: 101 })],
    ['step-repeated', withNodes([nodeWith('a'), nodeWith('a')])],
    ['write-without-workspace', oneStep({ capabilityProfile: 'workspace-write' })],
    [
      'capability-over-ceiling',
      {
        ...oneStep({ capabilityProfile: 'full', workspacePolicy: { mode: 'isolated-write' } }),
        policy: { ...headWith().policy, capabilityCeiling: 'on-request' },
      },
    ],
    ['write-set-not-relative', oneStep({ writeSetHint: ['src/../../etc'] })],
    ['write-set-not-relative', oneStep({ writeSetHint: ['/etc/passwd'] })],
    [
      'budget-over-run',
      {
        ...oneStep({ budget: { ...unboundedBudgets, modelRequests: 6, attempts: 1 } }),
        budgets: { ...unboundedBudgets, modelRequests: 5 },
      },
    ],
    ['agent-not-reconcilable', oneStep({ activityPolicy: { ...nodeWith('a').activityPolicy, effectClass: 'pure' } })],
    ['model-missing', oneStep({ modelPolicy: { mode: 'explicit', model: null, reasoning: null } })],
    ['control-misplaced', oneStep({ control: { type: 'loop', maxIterations: 2 } })],
    ['control-misplaced', oneStep({ kind: 'fanout', control: { type: 'loop', maxIterations: 2 } })],
    ['control-missing', oneStep({ kind: 'loop' })],
    ['metadata-too-large', oneStep({ metadata: { long: 'x'.repeat(8_200) } })],
    ['metadata-too-deep', oneStep({ metadata: deep(5) as WorkflowNode['metadata'] })],
    [
      'metadata-too-many-keys',
      oneStep({ metadata: Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`k${at}`, 1])) }),
    ],
    [
      'port-repeated',
      oneStep({
        outputs: [
          { name: 'x', type: 'text' },
          { name: 'x', type: 'json' },
        ],
      }),
    ],
    ['edge-malformed', withNodes([nodeWith('a')], [edgeWith('a', 'a', { id: '' })])],
    ['edge-repeated', withNodes([nodeWith('a'), nodeWith('b')], [edgeWith('a', 'b'), edgeWith('a', 'b')])],
    ['edge-step-unknown', withNodes([nodeWith('a')], [edgeWith('a', 'b')])],
    ['edge-to-itself', withNodes([nodeWith('a')], [edgeWith('a', 'a', { type: 'retry' })])],
    ['mapping-without-data', mapped({ type: 'control', mapping: [{ output: 'result', input: 'in', type: 'text' }] })],
    ['mapping-output-unknown', mapped({ mapping: [{ output: 'other', input: 'in', type: 'text' }] })],
    ['mapping-input-unknown', mapped({ mapping: [{ output: 'result', input: 'other', type: 'text' }] })],
    ['mapping-type', mapped({ mapping: [{ output: 'result', input: 'count', type: 'text' }] })],
    [
      'condition-step-unknown',
      mapped({
        condition: { source: { scope: 'node-output', nodeId: 'z', name: 'result' }, op: 'exists', value: null },
      }),
    ],
    [
      'condition-output-unknown',
      mapped({ condition: { source: { scope: 'node-output', nodeId: 'a', name: 'x' }, op: 'exists', value: null } }),
    ],
    [
      'condition-value',
      mapped({ condition: { source: { scope: 'run-field', nodeId: null, name: 'x' }, op: 'in', value: 1 } }),
    ],
    [
      'condition-value',
      mapped({ condition: { source: { scope: 'run-field', nodeId: null, name: 'x' }, op: 'eq', value: [1] } }),
    ],
    ['not-connected', withNodes([nodeWith('a'), nodeWith('b')])],
    ['cycle-without-retry', withNodes([loop, nodeWith('b')], [edgeWith('loop', 'b'), edgeWith('b', 'loop')])],
    [
      'cycle-without-loop',
      withNodes([nodeWith('a'), nodeWith('b')], [edgeWith('a', 'b'), edgeWith('b', 'a', { type: 'retry' })]),
    ],
    [
      'cycle-with-two-loops',
      withNodes(
        [loop, { ...loop, id: 'inner' }],
        [edgeWith('loop', 'inner'), edgeWith('inner', 'loop', { type: 'retry' })],
      ),
    ],
    ['too-deep', { ...stepChain('a', 'b', 'c'), limits: { ...headWith().limits, maxDepth: 2 } }],
    ['too-many-steps', { ...stepChain('a', 'b', 'c'), limits: { ...headWith().limits, maxLogicalNodes: 2 } }],
    ['too-many-agents', { ...stepChain('a', 'b', 'c'), limits: { ...headWith().limits, maxAgentSessions: 2 } }],
    ['too-many-edges', { ...stepChain('a', 'b', 'c'), limits: { ...headWith().limits, maxEdges: 1 } }],
    [
      'fan-too-wide',
      {
        ...withNodes([nodeWith('a'), nodeWith('b'), nodeWith('c')], [edgeWith('a', 'b'), edgeWith('a', 'c')]),
        limits: { ...headWith().limits, maxFanoutPerNode: 1 },
      },
    ],
    [
      'acceptance-source-unknown',
      { ...stepChain('a'), acceptance: [accepted({ source: { nodeId: 'a', output: 'x' } })] },
    ],
    ['acceptance-repeated', { ...stepChain('a'), acceptance: [accepted({}), accepted({})] }],
    [
      'acceptance-predicate',
      { ...stepChain('a'), acceptance: [accepted({ predicate: { op: 'boolean-equals', value: 1 } })] },
    ],
  ])('%s', (code, core) => {
    expect(codesOf(core)).toContain(code);
  });

  test('finds no fault in a definition that a simple full check accepts', () => {
    let passed = 0;
    fc.assert(
      fc.property(arbitraryCore, (drawn) => {
        const core: DefinitionCore = {
          ...drawn,
          phases: [{ id: 'work', label: 'Work' }],
          nodes: drawn.nodes.map((node) => ({
            ...node,
            phaseId: 'work',
            kind: node.kind === 'loop' ? 'loop' : 'agent',
            control: node.kind === 'loop' ? { type: 'loop', maxIterations: 2 } : null,
          })),
        };
        const { errors, facts } = checkGraph(graphOf(core));
        expect(errors.length === 0).toBe(plainlyRight(core));
        if (!facts) return;
        passed += 1;
        expect(facts).toMatchObject({ steps: core.nodes.length, edges: core.edges.length });
      }),
      { numRuns: 900 },
    );
    expect(passed).toBeGreaterThan(20);
  });

  test('never fails on any accepted input', () => {
    fc.assert(
      fc.property(arbitraryCore, fc.array(fc.anything()), fc.array(fc.anything()), (core, nodes, edges) => {
        const graph = {
          head: headWith() as AnyHead,
          nodes: () => [...core.nodes, ...(nodes as WorkflowNode[])],
          edges: () => [...core.edges, ...(edges as WorkflowEdge[])],
        };
        const { errors } = checkGraph(graph);
        if (nodes.length + edges.length > 0) expect(errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });

  test('reports deeply nested metadata without recursion', () => {
    let notes: unknown = 1;
    for (let level = 0; level < 200_000; level += 1) notes = [notes];
    expect(codesOf(oneStep({ metadata: { notes } as WorkflowNode['metadata'] }))).toEqual([
      'metadata-too-deep',
      'phase-empty',
    ]);
  });

  test('validates a large graph in bounded memory and reports at most a thousand faults', () => {
    const graph = graphOfWidth({ steps: 5_000, edges: 30_000, width: 100, phases: 30 });
    expect(checkGraph(graph)).toMatchObject({ errors: [], facts: { steps: 5_000, depth: 50, width: 100 } });
    const loose = checkGraph({ ...graph, edges: () => [] });
    expect(loose.errors.length).toBe(1_000);
    expect(Buffer.byteLength(JSON.stringify(loose.errors))).toBeLessThan(128 * 1024);
  });
});

function accepted(changes: Partial<DefinitionCore['acceptance'][number]>): DefinitionCore['acceptance'][number] {
  return {
    id: 'done',
    label: 'Done',
    source: { nodeId: 'a', output: 'result' },
    evidenceKind: 'text',
    minTrust: 'validated',
    predicate: { op: 'exists' },
    required: true,
    ...changes,
  };
}

/** For small graphs only: enumerates every path. */
function plainlyRight({ nodes, edges }: DefinitionCore): boolean {
  const loops = new Set(nodes.filter(({ kind }) => kind === 'loop').map(({ id }) => id));
  if (nodes.some(({ metadata }) => keysIn(metadata) > 64 || Buffer.byteLength(JSON.stringify(metadata)) > 8_192))
    return false;
  if (edges.some(({ from, to }) => from === to && !loops.has(from))) return false;
  if (reached(nodes[0] as WorkflowNode, edges, true).size < nodes.length) return false;
  const forward = edges.filter(({ type }) => type !== 'retry');
  const isInCycle = (id: string, among: readonly WorkflowEdge[]): boolean =>
    among.some(({ from, to }) => from === id && reaches(to, id, among));
  const unled = edges.filter(({ from, to }) => !loops.has(from) && !loops.has(to));
  if (nodes.some(({ id }) => isInCycle(id, forward) || isInCycle(id, unled))) return false;
  return ![...loops].some((one) =>
    [...loops].some((other) => one !== other && reaches(one, other, edges) && reaches(other, one, edges)),
  );
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, each) => sum + keysIn(each), Array.isArray(value) ? 0 : inner.length);
}

function reaches(from: string, to: string, edges: readonly WorkflowEdge[]): boolean {
  return from === to || reached({ id: from } as WorkflowNode, edges, false).has(to);
}

function reached({ id }: WorkflowNode, edges: readonly WorkflowEdge[], isEitherWay: boolean): Set<string> {
  const seen = new Set([id]);
  for (const at of seen) {
    for (const { from, to } of edges) {
      if (from === at) seen.add(to);
      if (isEitherWay && to === at) seen.add(from);
    }
  }
  return seen;
}
