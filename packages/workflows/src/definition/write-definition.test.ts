import { fakeAmbient } from '@fucina/shared/testing';
import { tempDir } from '@fucina/testkit';
import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { arbitraryCore, edgeWith, graphOfWidth, headWith, nodeWith, stepChain, toCoreV1 } from '../../test/cores.ts';
import { hashOfRows } from '../store/definition-rows.ts';
import { adjacencyOf, arrivingEdges, findDefinition, nodeOf, positionOfNode } from '../store/definitions.ts';
import { openStore } from '../store/store.ts';
import { canonical, hashOf } from './canonical.ts';
import { edgeText, type Graph, graphOf, hashGraphTexts } from './graph.ts';
import { type DefinitionFacts, writeDefinition } from './write-definition.ts';

const facts = (version = 1): DefinitionFacts => ({
  workflowId: '00000000-0000-8000-8000-000000000001',
  version,
  sessionId: 'root',
  proposal: {
    initiatingSessionId: 'root',
    createdAt: '2026-01-01T00:00:00.000Z',
    plannerModel: null,
    sessionModel: 'm',
  },
  preflight: { errors: [], warnings: [], estimates: {} },
  createdAt: 1,
});

async function fixture() {
  const dir = await tempDir();
  const store = openStore({ ambient: fakeAmbient(), dataDir: dir.path });
  return {
    db: store.db(),
    async [Symbol.asyncDispose]() {
      store.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

describe('writing a definition', () => {
  test('hashes rows to the same value as the whole definition', () => {
    fc.assert(
      fc.property(arbitraryCore, fc.boolean(), (core, isFirstShape) => {
        const whole = isFirstShape ? toCoreV1(core) : core;
        const { head, nodes, edges } = graphOf(whole);
        const rows = hashGraphTexts(head, [...edges()].map(edgeText), [...nodes()].map(canonical));
        expect(rows).toBe(hashOf(whole));
      }),
      { numRuns: 300 },
    );
  });

  test('hashes stored rows to the stored value', async () => {
    await using place = await fixture();
    let version = 0;
    fc.assert(
      fc.property(arbitraryCore, fc.boolean(), (core, isFirstShape) => {
        version += 1;
        const whole = isFirstShape ? toCoreV1(core) : core;
        const { key, definitionHash } = writeDefinition(place.db, graphOf(whole), facts(version));
        expect(definitionHash).toBe(hashOf(whole));
        expect(hashOfRows(place.db, key)).toBe(definitionHash);
      }),
      { numRuns: 60 },
    );
  });

  test('stores steps, edges, phases and their counts as rows', async () => {
    await using place = await fixture();
    const graph = graphOf({
      ...headWith({
        phases: [
          { id: 'one', label: 'One' },
          { id: 'two', label: 'Two' },
        ],
      }),
      nodes: [
        nodeWith('a', { phaseId: 'one', priority: 3 }),
        nodeWith('b', { phaseId: 'two', kind: 'reduce', role: 'integrator', capabilityProfile: 'workspace-write' }),
        nodeWith('c', { phaseId: 'two' }),
      ],
      edges: [
        edgeWith('a', 'b', { type: 'data', mapping: [{ output: 'result', input: 'in', type: 'text' }] }),
        edgeWith('a', 'c', { type: 'spawn' }),
        edgeWith('b', 'c'),
        edgeWith('c', 'b', { type: 'retry' }),
      ],
    });
    const { key, definitionHash } = writeDefinition(place.db, graph, facts());
    expect(findDefinition(place.db, facts().workflowId, 1)).toMatchObject({
      key,
      definitionHash,
      sessionId: 'root',
      title: 'A workflow',
      head: graph.head,
      phaseSource: 'explicit',
      totalNodes: 3,
      totalEdges: 4,
      writers: 1,
      createdAt: 1,
    });
    expect(positionOfNode(place.db, key, 'c')).toBe(2);
    expect(nodeOf(place.db, key, 1)).toEqual([...graph.nodes()][1]);
    expect(arrivingEdges(place.db, key, 1).map(({ fromOrd, type, mapping }) => [fromOrd, type, mapping])).toEqual([
      [0, 'data', [{ output: 'result', input: 'in', type: 'text' }]],
      [2, 'retry', null],
    ]);
    const all = (sql: string) => place.db.prepare(sql).raw().all(key);
    expect(
      all('SELECT ord, phase, priority, dependencies, children FROM definition_nodes WHERE definition = ?'),
    ).toEqual([
      [0, 0, 3, 0, 1],
      [1, 1, 0, 1, 0],
      [2, 1, 0, 2, 0],
    ]);
    expect(all('SELECT phase_id, total, roles, kinds FROM definition_phases WHERE definition = ?')).toEqual([
      ['one', 1, '{"researcher":1}', '{"agent":1}'],
      ['two', 2, '{"integrator":1,"researcher":1}', '{"reduce":1,"agent":1}'],
    ]);
    expect(all('SELECT from_phase, to_phase, total, types FROM definition_links WHERE definition = ?')).toEqual([
      [0, 1, 2, '{"data":1,"spawn":1}'],
      [1, 1, 2, '{"control":1,"retry":1}'],
    ]);
    expect([...adjacencyOf(place.db, key, 'downstream').of(0)]).toEqual([1, 2]);
    expect([...adjacencyOf(place.db, key, 'downstream').of(2)]).toEqual([]);
    expect([...adjacencyOf(place.db, key, 'upstream').of(2)]).toEqual([0, 1]);
  });

  test('stores the older shape unchanged in one phase', async () => {
    await using place = await fixture();
    const { key } = writeDefinition(place.db, graphOf(toCoreV1(stepChain('a', 'b'))), facts());
    expect(findDefinition(place.db, facts().workflowId, 1)?.phaseSource).toBe('legacy-unassigned');
    expect(nodeOf(place.db, key, 1).phaseId).toBe('legacy-unassigned');
    expect(place.db.prepare('SELECT phase_id, total FROM definition_phases').raw().all()).toEqual([
      ['legacy-unassigned', 2],
    ]);
  });

  test('leaves nothing when writing fails', async () => {
    await using place = await fixture();
    const broken: Graph = { ...graphOf(stepChain('a', 'b')), edges: () => [edgeWith('a', 'nobody')] };
    expect(() => writeDefinition(place.db, broken, facts())).toThrow('nobody');
    expect(place.db.prepare('SELECT count(*) FROM definitions').pluck().get()).toBe(0);
  });

  test('stores and hashes a large graph row by row', async () => {
    await using place = await fixture();
    const graph = graphOfWidth({ steps: 3_000, edges: 20_000, width: 50, phases: 20 });
    const { key, definitionHash } = writeDefinition(place.db, graph, facts());
    expect(hashOfRows(place.db, key)).toBe(definitionHash);
    expect(place.db.prepare('SELECT total_nodes, writers FROM definitions').raw().get()).toEqual([3_000, 0]);
    expect(place.db.prepare('SELECT sum(total) FROM definition_links').pluck().get()).toBe(
      place.db.prepare('SELECT total_edges FROM definitions').pluck().get(),
    );
  });
});
