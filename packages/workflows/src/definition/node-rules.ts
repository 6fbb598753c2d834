import { accepted, parseRelativePath } from '@fucina/shared';
import { type AnyHead, type AnyNode, BUDGET_KEYS, CAPABILITIES } from './core.ts';
import type { Problems } from './problems.ts';

const MAX_METADATA = { bytes: 8 * 1024, depth: 4, keys: 64 };
const CONTROLLED: ReadonlySet<string> = new Set(['fanout', 'loop', 'subworkflow']);
const WRITING_PLACES: ReadonlySet<string> = new Set(['isolated-write', 'integration']);

/** Problems within a single step of the right shape. */
export function checkNode(node: AnyNode, head: AnyHead, problems: Problems): void {
  checkReach(node, head, problems);
  checkBudget(node, head, problems);
  checkControl(node, problems);
  checkMetadata(node, problems);
  checkPorts(node, problems);
  if (node.kind === 'agent' && node.activityPolicy.effectClass !== 'reconcilable') {
    problems.add('agent-not-reconcilable', 'What an agent did can only be found out: reconcilable.', node.id);
  }
  if (node.modelPolicy.mode === 'explicit' && node.modelPolicy.model === null) {
    problems.add('model-missing', 'The step wants a model of its own and names none.', node.id);
  }
}

function checkReach(
  { id, capabilityProfile, workspacePolicy, writeSetHint }: AnyNode,
  head: AnyHead,
  problems: Problems,
) {
  if (capabilityProfile !== 'read' && !WRITING_PLACES.has(workspacePolicy.mode)) {
    problems.add('write-without-workspace', 'A step that can write needs a workspace to write in.', id);
  }
  const rank = (capability: (typeof CAPABILITIES)[number]): number => CAPABILITIES.indexOf(capability);
  if (rank(capabilityProfile) > rank(head.policy.capabilityCeiling)) {
    problems.add('capability-over-ceiling', `The policy allows ${head.policy.capabilityCeiling} at most.`, id);
  }
  const outside = writeSetHint.find((path) => accepted(parseRelativePath, path) === undefined);
  if (outside !== undefined) {
    problems.add('write-set-not-relative', 'A path to be written is not relative to the folder.', id, outside);
  }
}

function checkBudget({ id, budget }: AnyNode, { budgets }: AnyHead, problems: Problems): void {
  const over = BUDGET_KEYS.filter((key) => (budget[key] ?? 0) > (budgets[key] ?? Number.POSITIVE_INFINITY));
  if (over.length) problems.add('budget-over-run', 'The step may use more than the whole run.', id, ...over);
}

function checkControl({ id, kind, control }: AnyNode, problems: Problems): void {
  if (control && control.type !== kind) {
    problems.add('control-misplaced', `A step of kind ${kind} is not led by a ${control.type}.`, id);
  }
  if (!control && CONTROLLED.has(kind)) {
    problems.add('control-missing', `A ${kind} needs to say how far it goes.`, id);
  }
}

function checkMetadata({ id, metadata }: AnyNode, problems: Problems): void {
  if (Buffer.byteLength(JSON.stringify(metadata)) > MAX_METADATA.bytes) {
    problems.add('metadata-too-large', 'The notes of the step are over 8 KiB.', id);
    return;
  }
  if (keysOf(metadata) > MAX_METADATA.keys)
    problems.add('metadata-too-many-keys', 'The notes of the step have over 64 keys.', id);
}

/**
 * Number of keys at all levels; infinite above the depth limit. Iterative, because the value may not match any schema.
 */
export function keysOf(metadata: unknown): number {
  let keys = 0;
  const open: { value: unknown; depth: number }[] = [{ value: metadata, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_METADATA.depth) return Number.POSITIVE_INFINITY;
    const inner = Object.values(value);
    if (!Array.isArray(value)) keys += inner.length;
    for (const each of inner) open.push({ value: each, depth: depth + 1 });
  }
  return keys;
}

function checkPorts({ id, inputs, outputs }: AnyNode, problems: Problems): void {
  for (const [side, ports] of Object.entries({ inputs, outputs })) {
    if (new Set(ports.map(({ name }) => name)).size < ports.length) {
      problems.add('port-repeated', `Two ${side} of the step have the same name.`, id);
    }
  }
}
