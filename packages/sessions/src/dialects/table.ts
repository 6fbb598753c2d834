import type { DialectName, ToolSpec } from '@fucina/shared';

/** How the models of one family know our tools. */
export interface DialectTable {
  /** Of the system prompt: how files are changed, with `{tool}` in the place of names. */
  editing: string;
  /** More than one row for a tool whose ways of use have names of their own; `when` says which one a call is. */
  tools: readonly ShownTool[];
}

export interface ShownTool {
  /** The tool's name on the wire: in events, permissions and the journal. */
  tool: string;
  /** What the model reads and calls. */
  name: string;
  /** Default: the description of the words, or the tool's own. */
  description?: string;
  /** By their names on the wire, in the order in which the model reads them; default: all as the tool has them. */
  params?: Readonly<Record<string, ShownParam>>;
  /** Shown as required although the tool itself can do without. */
  required?: readonly string[];
  /** The tool that does the same in this dialect: where it is offered, this one is understood but not shown. */
  replacedBy?: string;
  /** What calls under this name have in addition. */
  fixed?: Readonly<Record<string, boolean>>;
  /** A parameter of the wire: a call that has it is shown under this name. */
  when?: string;
}

/** A name, or a name with what else differs from the tool's own schema. */
export type ShownParam =
  | string
  | {
      name: string;
      description?: string;
      /** Enumerated values, from the wire's to the model's. */
      values?: Readonly<Record<string, string>>;
      /** Parameters of the objects in a list. */
      items?: Readonly<Record<string, ShownParam>>;
    };

/** What a model sees of our tools: their names, parameters, descriptions and order. */
export interface Dialect {
  name: DialectName;
  rows: readonly ShownTool[];
  editing: string;
  /** The tool's name for the model; a tool without a row keeps its own. */
  nameOf(tool: string): string;
  /** A parameter's name for the model. */
  paramOf(tool: string, param: string): string;
  /** Whether a tool is left out of a request that offers these tools. */
  isReplaced(tool: string, offered: ReadonlySet<string>): boolean;
  /** The specs of a tool: one for each name that it has. */
  specsOf(spec: ToolSpec): readonly ToolSpec[];
  /** A text with `{tool}` in the place of names. */
  text(template: string): string;
}

export function paramName(param: ShownParam): string {
  return typeof param === 'string' ? param : param.name;
}
