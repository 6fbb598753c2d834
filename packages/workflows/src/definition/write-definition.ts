import type { SqliteDatabase } from '@fucina/shared';
import type { Preflight, Proposal } from '../store/definitions.ts';
import { packAdjacency } from './adjacency.ts';
import { canonical } from './canonical.ts';
import { type AnyNode, EDGE_TYPES, type WorkflowEdge } from './core.ts';
import { edgeText, type Graph, hashGraphTexts, phaseIdOf, phasesOf } from './graph.ts';
import { countLinks, type LinkCount } from './link-count.ts';

/** The stored data of a definition besides its graph. */
export interface DefinitionFacts {
  workflowId: string;
  version: number;
  sessionId: string;
  proposal: Proposal;
  preflight: Preflight;
  /** In ms. */
  createdAt: number;
  /** For a revision: the version it is based on, and the hash of the requested changes. */
  revision?: { previousVersion: number; hash: string };
}

export interface WrittenDefinition {
  /** `definitions.key`. */
  key: number;
  definitionHash: string;
}

/**
 * Writes all rows of a version and computes its constant statistics, in one transaction. The graph must be valid
 * (graph-rules.ts). Its steps are iterated twice and its edges once; memory use is a few numbers per step and edge.
 */
export function writeDefinition(db: SqliteDatabase, graph: Graph, facts: DefinitionFacts): WrittenDefinition {
  return db.transaction((): WrittenDefinition => {
    const key = insertHead(db, graph, facts);
    const steps = positions(graph);
    const links = countLinks(steps.total);
    const phases = countPhases(graph);
    const definitionHash = hashGraphTexts(
      graph.head,
      edgeRows(db, key, { graph, steps, links }),
      nodeRows(db, key, { graph, steps, links, phases }),
    );
    insertPhases(db, key, phases);
    insertLinks(db, key, links);
    db.prepare(
      `UPDATE definitions SET definition_hash = ?, total_nodes = ?, total_edges = ?, writers = ?, downstream = ?,
         upstream = ? WHERE key = ?`,
    ).run(
      definitionHash,
      steps.total,
      links.total(),
      phases.reduce((sum, phase) => sum + phase.writers, 0),
      packAdjacency(steps.total, () => links.pairs('downstream')),
      packAdjacency(steps.total, () => links.pairs('upstream')),
      key,
    );
    return { key, definitionHash };
  })();
}

/** The rows of a definition refer to its head, which is written first and completed after them. */
function insertHead(db: SqliteDatabase, { head }: Graph, facts: DefinitionFacts): number {
  const { lastInsertRowid } = db
    .prepare(
      `INSERT INTO definitions (workflow_id, version, session_id, definition_hash, title, head, proposal, preflight,
         phase_source, total_nodes, total_edges, writers, downstream, upstream, previous_version, revision_hash,
         created_at)
       VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, 0, 0, NULL, zeroblob(0), zeroblob(0), ?, ?, ?)`,
    )
    .run(
      facts.workflowId,
      facts.version,
      facts.sessionId,
      head.title,
      canonical(head),
      JSON.stringify(facts.proposal),
      JSON.stringify(facts.preflight),
      'phases' in head ? 'explicit' : 'legacy-unassigned',
      facts.revision?.previousVersion ?? null,
      facts.revision?.hash ?? null,
      facts.createdAt,
    );
  return Number(lastInsertRowid);
}

interface Steps {
  total: number;
  ordOf: ReadonlyMap<string, number>;
  /** Position of the phase of each step. */
  phases: readonly number[];
}

function positions(graph: Graph): Steps {
  const phaseOrds = new Map(phasesOf(graph.head).map(({ id }, ord) => [id, ord]));
  const ordOf = new Map<string, number>();
  const phases: number[] = [];
  for (const node of graph.nodes()) {
    ordOf.set(node.id, ordOf.size);
    phases.push(known(phaseOrds, phaseIdOf(node)));
  }
  return { total: ordOf.size, ordOf, phases };
}

interface Walk {
  graph: Graph;
  steps: Steps;
  links: LinkCount;
}

/** Inserts the edges while the hash iterates them. */
function* edgeRows(db: SqliteDatabase, key: number, { graph, steps, links }: Walk): Iterable<string> {
  const insert = db.prepare(
    `INSERT INTO definition_edges (definition, ord, edge_id, from_ord, to_ord, from_phase, to_phase, type, rules)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let ord = 0;
  for (const edge of graph.edges()) {
    const from = known(steps.ordOf, edge.from);
    const to = known(steps.ordOf, edge.to);
    const phases = [steps.phases[from] as number, steps.phases[to] as number] as const;
    insert.run(key, ord, edge.id, from, to, ...phases, edge.type, rulesOf(edge));
    links.add({ from, to, type: edge.type, phases });
    ord += 1;
    yield edgeText(edge);
  }
}

function rulesOf({ condition, mapping }: WorkflowEdge): string | null {
  return condition || mapping ? canonical({ condition, mapping }) : null;
}

interface PhaseCount {
  id: string;
  label: string;
  total: number;
  writers: number;
  roles: Record<string, number>;
  kinds: Record<string, number>;
}

function countPhases(graph: Graph): PhaseCount[] {
  return phasesOf(graph.head).map(({ id, label }) => ({ id, label, total: 0, writers: 0, roles: {}, kinds: {} }));
}

/** Inserts the steps while the hash iterates them, after the edges. */
function* nodeRows(
  db: SqliteDatabase,
  key: number,
  { graph, steps, links, phases }: Walk & { phases: PhaseCount[] },
): Iterable<string> {
  const insert = db.prepare(
    `INSERT INTO definition_nodes (definition, ord, node_id, phase, label, kind, role, priority, dependencies, children,
       body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let ord = 0;
  for (const node of graph.nodes()) {
    const phase = steps.phases[ord] as number;
    const body = canonical(node);
    insert.run(
      key,
      ord,
      node.id,
      phase,
      node.label,
      node.kind,
      node.role,
      node.priority,
      links.dependencies[ord],
      links.children[ord],
      body,
    );
    count(phases[phase] as PhaseCount, node);
    ord += 1;
    yield body;
  }
}

function count(phase: PhaseCount, node: AnyNode): void {
  phase.total += 1;
  phase.roles[node.role] = (phase.roles[node.role] ?? 0) + 1;
  phase.kinds[node.kind] = (phase.kinds[node.kind] ?? 0) + 1;
  if (node.capabilityProfile !== 'read') phase.writers += 1;
}

function insertPhases(db: SqliteDatabase, key: number, phases: readonly PhaseCount[]): void {
  const insert = db.prepare(
    'INSERT INTO definition_phases (definition, ord, phase_id, label, total, roles, kinds) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  for (const [ord, { id, label, total, roles, kinds }] of phases.entries()) {
    insert.run(key, ord, id, label, total, JSON.stringify(roles), JSON.stringify(kinds));
  }
}

function insertLinks(db: SqliteDatabase, key: number, links: LinkCount): void {
  const insert = db.prepare(
    'INSERT INTO definition_links (definition, from_phase, to_phase, total, types) VALUES (?, ?, ?, ?, ?)',
  );
  for (const { from, to, total, types } of links.byPhases()) {
    const inOrder = EDGE_TYPES.filter((type) => types.has(type)).map((type) => [type, types.get(type)]);
    insert.run(key, from, to, total, JSON.stringify(Object.fromEntries(inOrder)));
  }
}

function known(ords: ReadonlyMap<string, number>, id: string): number {
  const ord = ords.get(id);
  if (ord === undefined) throw new Error(`the definition has no ${id}`);
  return ord;
}
