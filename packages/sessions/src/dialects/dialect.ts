import { DIALECTS, type DialectChoice, type DialectName, dialectFor, type ToolSpec } from '@fucina/shared';
import { CLAUDE } from './claude.ts';
import { DEFAULT } from './default.ts';
import { GPT } from './gpt.ts';
import { shownSpec } from './shown-spec.ts';
import { type Dialect, type DialectTable, paramName, type ShownParam, type ShownTool } from './table.ts';

const TABLES: Readonly<Record<DialectName, DialectTable>> = { claude: CLAUDE, gpt: GPT, default: DEFAULT };

const dialects = new Map<DialectName, Dialect>();

/** One object for each, so that what is derived from it can be kept. */
export function dialect(name: DialectName): Dialect {
  const known = dialects.get(name) ?? createDialect(name, TABLES[name]);
  dialects.set(name, known);
  return known;
}

/** The rows of all dialects but one: what a model may know from elsewhere. */
export function otherRows(name: DialectName): ShownTool[] {
  return DIALECTS.filter((one) => one !== name).flatMap((one) => TABLES[one].tools);
}

function createDialect(name: DialectName, { tools: rows, editing }: DialectTable): Dialect {
  const rowOf = (tool: string): ShownTool | undefined => rows.find((row) => row.tool === tool);
  const nameOf = (tool: string): string => rowOf(tool)?.name ?? tool;
  const known = new WeakMap<ToolSpec, readonly ToolSpec[]>();
  const made: Dialect = {
    name,
    rows,
    editing,
    nameOf,
    paramOf(tool, param) {
      const shown: ShownParam | undefined = rowOf(tool)?.params?.[param];
      return shown === undefined ? param : paramName(shown);
    },
    text: (template) => template.replaceAll(/\{(\w+)\}/g, (_whole, tool: string) => nameOf(tool)),
    isReplaced(tool, offered) {
      const other = rowOf(tool)?.replacedBy;
      return other !== undefined && offered.has(other);
    },
    specsOf(spec) {
      const before = known.get(spec);
      if (before) return before;
      const shown = rows.filter((row) => row.tool === spec.name);
      const specs = shown.length ? shown.map((row) => shownSpec(spec, row, made)) : [shownSpec(spec, undefined, made)];
      known.set(spec, specs);
      return specs;
    },
  };
  return made;
}

/** The dialect of a model: as chosen, else that of its family. */
export const dialectOf = (model: string, choice?: DialectChoice): Dialect => dialect(dialectFor(model, choice).name);
