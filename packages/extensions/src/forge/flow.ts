import * as z from 'zod';

/** What a forged tool may do, with the risk for the user's data. */
export const CAPABILITY_RISKS = {
  'tasks.list': 1,
  'tasks.create': 2,
  'tasks.setStatus': 2,
  'notes.list': 1,
  'notes.create': 2,
  'notes.update': 2,
  'memory.search': 1,
  'memory.create': 3,
} as const;
export type Capability = keyof typeof CAPABILITY_RISKS;
const CAPABILITIES = Object.keys(CAPABILITY_RISKS) as [Capability, ...Capability[]];

const MAX_NODES = 64;
const nodeId = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/);
const reference = z.strictObject({ $ref: z.string().regex(/^\$\.(input|state)(\.[A-Za-z0-9_-]{1,64}){1,8}$/) });
/** A literal value, or a reference to the input or to the result of an earlier node. */
const expression = z.union([reference, z.json()]);
export type Expression = z.infer<typeof expression>;
const fields = z.record(z.string().min(1).max(64), expression);

const condition = z.strictObject({
  op: z.enum(['eq', 'neq', 'truthy', 'exists', 'contains', 'gt', 'gte', 'lt', 'lte']),
  left: expression,
  right: expression.optional(),
});
export type FlowCondition = z.infer<typeof condition>;

const node = z.discriminatedUnion('type', [
  z.strictObject({
    id: nodeId,
    type: z.literal('capability'),
    capability: z.enum(CAPABILITIES),
    args: fields.default({}),
    saveAs: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional(),
    next: nodeId,
  }),
  z.strictObject({ id: nodeId, type: z.literal('if'), condition, whenTrue: nodeId, whenFalse: nodeId }),
  z.strictObject({ id: nodeId, type: z.literal('return'), value: expression.default(null) }),
  z.strictObject({ id: nodeId, type: z.literal('fail'), message: expression }),
]);
export type FlowNode = z.infer<typeof node>;

/** A bounded program: a graph of nodes, never code. */
export const flow = z
  .strictObject({
    entry: nodeId,
    maxTransitions: z.int().min(1).max(256),
    nodes: z.array(node).min(1).max(MAX_NODES),
  })
  .superRefine(({ entry, nodes }, context) => {
    const ids = new Set(nodes.map(({ id }) => id));
    if (ids.size !== nodes.length)
      context.addIssue({ code: 'custom', path: ['nodes'], message: 'two nodes have one id' });
    const targets = nodes.flatMap((each) => targetsOf(each));
    for (const target of new Set([entry, ...targets])) {
      if (!ids.has(target))
        context.addIssue({ code: 'custom', path: ['nodes'], message: `there is no node ${target}` });
    }
    if (!nodes.some(({ type }) => type === 'return')) {
      context.addIssue({ code: 'custom', path: ['nodes'], message: 'no node returns' });
    }
  });
export type Flow = z.infer<typeof flow>;

function targetsOf(each: FlowNode): string[] {
  if (each.type === 'capability') return [each.next];
  return each.type === 'if' ? [each.whenTrue, each.whenFalse] : [];
}

export function capabilitiesOf({ nodes }: Flow): Capability[] {
  const used = new Set(nodes.flatMap((each) => (each.type === 'capability' ? [each.capability] : [])));
  return CAPABILITIES.filter((capability) => used.has(capability));
}

export type Risk = 'R1' | 'R2' | 'R3';

/** The highest risk among its actions. */
export function riskOf(capabilities: readonly Capability[]): Risk {
  return `R${Math.max(1, ...capabilities.map((capability) => CAPABILITY_RISKS[capability])) as 1 | 2 | 3}`;
}
