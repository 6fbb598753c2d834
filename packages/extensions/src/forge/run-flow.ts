import { textStart } from '@fucina/shared';
import type { Capability, Expression, Flow, FlowCondition } from './flow.ts';

export type Capabilities = Readonly<Record<Capability, (args: Record<string, unknown>) => Promise<unknown>>>;

export type FlowOutcome = { value: unknown } | { failure: string };

interface Scope {
  input: Record<string, unknown>;
  state: Record<string, unknown>;
}

const MAX_TEXT = 100_000;

/** Walks the nodes iteratively: at most as many steps as the flow allows, and none after `signal`. */
export async function runFlow(
  { entry, maxTransitions, nodes }: Flow,
  { input, capabilities, signal }: { input: Record<string, unknown>; capabilities: Capabilities; signal: AbortSignal },
): Promise<FlowOutcome> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const scope: Scope = { input, state: {} };
  let at = entry;
  for (let step = 0; step < maxTransitions; step += 1) {
    if (signal.aborted) return { failure: 'stopped' };
    const node = byId.get(at);
    if (!node) return { failure: `there is no node ${at}` };
    if (node.type === 'return') return { value: resolve(node.value, scope) };
    if (node.type === 'fail') return { failure: textOf(resolve(node.message, scope)) };
    if (node.type === 'if') {
      at = holds(node.condition, scope) ? node.whenTrue : node.whenFalse;
      continue;
    }
    const args = Object.fromEntries(Object.entries(node.args).map(([name, value]) => [name, resolve(value, scope)]));
    try {
      const result = await capabilities[node.capability](args);
      if (node.saveAs !== undefined) scope.state[node.saveAs] = result;
    } catch (error) {
      return { failure: `${node.capability}: ${error instanceof Error ? error.message : 'failed'}` };
    }
    at = node.next;
  }
  return { failure: `more than ${maxTransitions} steps` };
}

/** Resolves references anywhere in a value; a missing one is null. Recursion is as deep as the JSON. */
function resolve(value: Expression | undefined, scope: Scope): unknown {
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (Array.isArray(value)) return value.map((item) => resolve(item as Expression, scope));
  if ('$ref' in value && typeof value.$ref === 'string') return lookUp(value.$ref, scope);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolve(item as Expression, scope)]));
}

function lookUp(reference: string, scope: Scope): unknown {
  const [, root, ...path] = reference.split('.');
  let value: unknown = root === 'input' ? scope.input : scope.state;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

function holds({ op, left, right }: FlowCondition, scope: Scope): boolean {
  const a = resolve(left, scope);
  const b = resolve(right, scope);
  switch (op) {
    case 'eq':
      return JSON.stringify(a) === JSON.stringify(b);
    case 'neq':
      return JSON.stringify(a) !== JSON.stringify(b);
    case 'truthy':
      return Boolean(a);
    case 'exists':
      return a !== null && a !== undefined;
    case 'contains':
      return Array.isArray(a)
        ? a.some((item) => JSON.stringify(item) === JSON.stringify(b))
        : textOf(a).includes(textOf(b));
    default:
      return compares(op, a, b);
  }
}

/** Numbers as numbers, texts as texts; anything else is never greater nor less. */
function compares(op: 'gt' | 'gte' | 'lt' | 'lte', a: unknown, b: unknown): boolean {
  const isComparable =
    (typeof a === 'number' && typeof b === 'number') || (typeof a === 'string' && typeof b === 'string');
  if (!isComparable) return false;
  const [left, right] = [a, b] as [number, number];
  if (op === 'gt') return left > right;
  if (op === 'gte') return left >= right;
  return op === 'lt' ? left < right : left <= right;
}

function textOf(value: unknown): string {
  return textStart(typeof value === 'string' ? value : JSON.stringify(value ?? null), MAX_TEXT);
}
