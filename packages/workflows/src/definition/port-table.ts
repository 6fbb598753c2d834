import type { AnyNode } from './core.ts';
import type { EdgeContext, PortTypes } from './edge-rules.ts';

export interface PortTable extends EdgeContext {
  add(node: AnyNode): void;
}

/** Inputs and outputs by step. Equal sets of ports are stored once, because steps of a large graph are similar. */
export function portTable(): PortTable {
  const sets = new Map<string, PortTypes>();
  const inputs = new Map<string, PortTypes>();
  const outputs = new Map<string, PortTypes>();
  const setOf = (ports: AnyNode['outputs']): PortTypes => {
    const key = JSON.stringify(ports.map(({ name, type }) => [name, type]));
    const held = sets.get(key) ?? new Map(ports.map(({ name, type }) => [name, type]));
    sets.set(key, held);
    return held;
  };
  return {
    add(node) {
      inputs.set(node.id, setOf(node.inputs));
      outputs.set(node.id, setOf(node.outputs));
    },
    inputsOf: (nodeId) => inputs.get(nodeId),
    outputsOf: (nodeId) => outputs.get(nodeId),
  };
}
