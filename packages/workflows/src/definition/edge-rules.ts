import type { WorkflowEdge, WorkflowNode } from './core.ts';
import type { Problems } from './problems.ts';

export type PortTypes = ReadonlyMap<string, WorkflowNode['outputs'][number]['type']>;

/** Looks up the steps of a definition. Undefined for an unknown step. */
export interface EdgeContext {
  inputsOf(nodeId: string): PortTypes | undefined;
  outputsOf(nodeId: string): PortTypes | undefined;
}

/** Problems of an edge between two known steps. */
export function checkEdge(edge: WorkflowEdge, context: EdgeContext, problems: Problems): void {
  checkMapping(edge, context, problems);
  checkCondition(edge, context, problems);
}

function checkMapping({ id, type, from, to, mapping }: WorkflowEdge, context: EdgeContext, problems: Problems): void {
  if (!mapping) return;
  if (type !== 'data') {
    problems.add('mapping-without-data', `An edge of type ${type} carries no values.`, id);
    return;
  }
  for (const { output, input, type: valueType } of mapping) {
    const given = context.outputsOf(from)?.get(output);
    const taken = context.inputsOf(to)?.get(input);
    if (given === undefined) problems.add('mapping-output-unknown', `${from} has no output ${output}.`, id, from);
    else if (given !== valueType) problems.add('mapping-type', `The output ${output} is ${given}.`, id, from);
    if (taken === undefined) problems.add('mapping-input-unknown', `${to} has no input ${input}.`, id, to);
    else if (taken !== valueType) problems.add('mapping-type', `The input ${input} is ${taken}.`, id, to);
  }
}

const WITHOUT_VALUE: ReadonlySet<string> = new Set(['exists', 'not-exists', 'truthy', 'falsy']);

function checkCondition({ id, condition }: WorkflowEdge, context: EdgeContext, problems: Problems): void {
  if (!condition) return;
  const { source, op, value } = condition;
  if (source.scope === 'node-output') {
    const outputs = context.outputsOf(source.nodeId);
    if (!outputs) problems.add('condition-step-unknown', `There is no step ${source.nodeId}.`, id, source.nodeId);
    else if (!outputs.has(source.name)) {
      problems.add('condition-output-unknown', `${source.nodeId} has no output ${source.name}.`, id, source.nodeId);
    }
  }
  const isList = Array.isArray(value);
  const wantsList = op === 'in' || op === 'not-in';
  if (!WITHOUT_VALUE.has(op) && isList !== wantsList) {
    problems.add('condition-value', wantsList ? `${op} needs a list.` : `${op} compares with one value.`, id);
  }
}
