import type { SqliteDatabase } from '@fucina/shared';
import type { WorkflowNode } from '../../definition/core.ts';

export type ResultKind = 'json' | 'text' | 'artifact' | 'commit' | 'test-report' | 'patch';
export const TRUST_LEVELS = ['untrusted', 'validated', 'deterministic-evidence'] as const;
export type Trust = (typeof TRUST_LEVELS)[number];

/** One output value of a step, not stored yet. */
export interface Output {
  name: string;
  kind: ResultKind;
  contentType: string;
  bytes: Buffer;
}

/** As stored with the result; `summary` is its beginning. */
export interface ResultRef {
  id: string;
  sha256: string;
  runId: string;
  nodeId: string;
  activityExecutionId: string;
  kind: ResultKind;
  contentType: string;
  bytes: number;
  /** `xx/<64 hex>` in the content store. */
  storageKey: string;
  summary: string;
  trust: Trust;
  provenance: { output: string; stepSessionId: string; provider: string | null; model: string | null; attempt: number };
  sensitivity: 'public' | 'workspace' | 'secret-adjacent';
  eligibleForIntegration: boolean;
}

const MAX_SUMMARY = 4_096;
const DEFAULT_OUTPUTS: WorkflowNode['outputs'] = [{ name: 'result', type: 'text' }];

export function declaredOutputs({ outputs }: WorkflowNode): WorkflowNode['outputs'] {
  return outputs.length ? outputs : DEFAULT_OUTPUTS;
}

/**
 * The outputs in an agent's last message: all of it if one is declared; for several, the values of the JSON object at
 * its end. Without such an object the message is the first output, and the others are missing.
 */
export function outputsOf(node: WorkflowNode, text: string): Output[] {
  const declared = declaredOutputs(node);
  const [first] = declared;
  if (!first) return [];
  const values = declared.length > 1 ? lastObject(text) : undefined;
  if (!values) return [output(first, text)];
  return declared.flatMap((one) => (Object.hasOwn(values, one.name) ? [output(one, values[one.name])] : []));
}

type Declared = WorkflowNode['outputs'][number];

function output({ name, type }: Declared, value: unknown): Output {
  const kind = kindOf(type);
  const isText = kind !== 'json';
  const text = isText ? asText(value) : asJson(value);
  const contentType = isText ? 'text/plain; charset=utf-8' : 'application/json';
  return { name, kind, contentType, bytes: Buffer.from(text) };
}

function kindOf(type: Declared['type']): ResultKind {
  switch (type) {
    case 'string':
    case 'text':
      return 'text';
    case 'artifact':
    case 'commit':
    case 'patch':
    case 'test-report':
      return type;
    default:
      return 'json';
  }
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Valid JSON is unchanged; other text becomes a JSON string. */
function asJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const text = fenced(value) ?? value.trim();
  return parse(text) === undefined ? JSON.stringify(value) : text;
}

const MAX_PARSED = 1024 * 1024;

function lastObject(text: string): Record<string, unknown> | undefined {
  const at = text.lastIndexOf('\n{');
  const found = [fenced(text), text.trim(), at >= 0 ? text.slice(at).trim() : undefined].map((candidate) =>
    candidate?.startsWith('{') ? parse(candidate) : undefined,
  );
  return found.find((value): value is Record<string, unknown> => typeof value === 'object' && value !== null);
}

/** A result to be recorded. */
export interface NewResult {
  ref: ResultRef;
  /** Content stored in its row; null when it is already in a file. */
  content: Buffer | null;
}

/** The content of the last fence in the text. */
function fenced(text: string): string | undefined {
  const end = text.lastIndexOf('```');
  const start = end > 0 ? text.lastIndexOf('```', end - 1) : -1;
  if (start < 0) return undefined;
  const inside = text.slice(start + 3, end);
  return inside.slice(inside.indexOf('\n') + 1).trim();
}

function parse(text: string): unknown {
  if (text.length > MAX_PARSED) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An agent's answer may not be JSON.
    return undefined;
  }
}

export function summaryOf({ bytes }: Output): string {
  const text = bytes.subarray(0, MAX_SUMMARY * 4).toString('utf8');
  return [...text].slice(0, MAX_SUMMARY).join('');
}

/** The value of an output for a condition: from its stored beginning, so a longer one only `exists`. */
export function outputValue(
  db: SqliteDatabase,
  { run, node, name }: { run: number; node: number; name: string },
): { value: unknown } | undefined {
  const refs = db
    .prepare<[number, number], string>('SELECT ref FROM run_results WHERE run = ? AND node = ? ORDER BY position')
    .pluck()
    .all(run, node)
    .map((ref) => JSON.parse(ref) as ResultRef);
  const ref = refs.find(({ provenance }) => provenance.output === name);
  if (!ref) return undefined;
  return { value: ref.kind === 'json' ? parse(ref.summary) : ref.summary };
}
