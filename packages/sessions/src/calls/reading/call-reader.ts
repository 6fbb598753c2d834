import type { ModelToolCall } from '@fucina/shared';
import { createJsonRenamer } from '../../dialects/json-renamer.ts';
import type { Dialect } from '../../dialects/table.ts';
import { keysOf } from './keys.ts';
import { findTool } from './names.ts';
import { repairedText } from './texts.ts';

/** A call under the names of the wire. */
export interface ReadCall extends ModelToolCall {
  /** What was not as it should be and was understood: the result says it. */
  remarks: readonly string[];
  /** The arguments end before their last bracket: nothing of them may be missing when the answer was cut. */
  isCut: boolean;
  /** Found in the text of an answer: more than reading asks first. */
  isWritten?: true;
}

/** Reads one call as it streams: its name, then its arguments piece by piece, then its end. */
export interface CallReading {
  /** The tool's name on the wire; the model's own where there is no such tool. */
  name: string;
  /** What of the arguments is certain, under the names of the wire. */
  push(delta: string): string;
  /** The rest of the arguments; after it `call` is complete. */
  end(): string;
  /** The rest as the model wrote it, for a call that never ended. */
  giveUp(): string;
  call(id: string): ReadCall;
}

export interface CallReader {
  begin(name: string): CallReading;
}

/**
 * Understands the calls of a model: the names of its dialect and of the wire, other dialects and programs, and arguments
 * that are not quite JSON (docs/decisions/0131-calls-that-are-understood.md). What a schema refuses is repaired later, by
 * `parsedInput`.
 */
export function createCallReader(offered: ReadonlySet<string>, dialect: Dialect): CallReader {
  return { begin: (name) => createReading(name, offered, dialect) };
}

function createReading(called: string, offered: ReadonlySet<string>, dialect: Dialect): CallReading {
  const found = findTool(called, offered, dialect);
  if (!found) return asWritten(called);
  const fixed = JSON.stringify(found.row?.fixed ?? {}).slice(1, -1);
  const keys = keysOf(found, dialect);
  const renamer = createJsonRenamer(keys, fixed);
  const remarks = found.remark === undefined ? [] : [found.remark];
  const foreign = new Map<string, string>();
  let raw = '';
  let given = '';
  let read: string | undefined;
  let isCut = false;

  const give = (text: string): string => {
    given += text;
    return text;
  };
  const noteForeign = (from: ReadonlyMap<string, string>): void => {
    for (const [key, to] of from) foreign.set(key, dialect.paramOf(found.tool, to));
  };
  /** The whole arguments, repaired; undefined where they cannot be. */
  const repaired = (): string | undefined => {
    // An unknown rest is missing: half a file must not be written.
    if (renamer.state() === 'unfinished') return undefined;
    const result = repairedText(raw);
    if (!result) return undefined;
    const again = createJsonRenamer(keys, fixed);
    const text = again.push(result.text);
    if (again.state() !== 'whole') return undefined;
    remarks.push(...result.remarks);
    noteForeign(again.foreign);
    return text;
  };

  return {
    name: found.tool,
    push(delta) {
      raw += delta;
      return give(renamer.push(delta));
    },
    end() {
      const state = raw.trim() === '' ? 'whole' : renamer.state();
      isCut = state === 'open' || state === 'unfinished';
      if (state !== 'whole') read = repaired();
      else noteForeign(renamer.foreign);
      return give(read?.startsWith(given) ? read.slice(given.length) : renamer.tail());
    },
    giveUp: () => give(renamer.tail()),
    call: (id) => ({
      id,
      name: found.tool,
      arguments: read ?? given,
      remarks: [...remarks, ...[...foreign].map(([from, to]) => `${from} was read as ${to}`)],
      isCut,
    }),
  };
}

/** A tool that is not offered: its call is refused, under the name that the model used. */
function asWritten(name: string): CallReading {
  let text = '';
  return {
    name,
    push(delta) {
      text += delta;
      return delta;
    },
    end: () => '',
    giveUp: () => '',
    call: (id) => ({ id, name, arguments: text, remarks: [], isCut: false }),
  };
}
