import { familyOfId } from '@fucina/shared';

/** A call that a model wrote into its text. */
export interface WrittenCall {
  name: string;
  /** JSON, as far as the form has it. */
  arguments: string;
}

/** All calls of a text that holds nothing else; undefined for any other text. */
type CallForm = (text: string) => WrittenCall[] | undefined;

/** The forms of each family's own templates; generic JSON, also in a fence, is none: a user may have asked to see it. */
const FORMS: Readonly<Record<string, readonly CallForm[]>> = {
  claude: [invokes],
  minimax: [invokes],
  'gpt-oss': [harmony],
  glm: [tagged, keyed],
  kimi: [sections],
  deepseek: [deepSeek],
  mistral: [toolCalls],
  qwen: [tagged, functions],
  gpt: [],
  gemini: [],
  grok: [],
};
/** Of models whose family is not known: most open ones were trained on one of these. */
const USUAL: readonly CallForm[] = [tagged, functions];

const MAX_TEXT = 256 * 1024;
const MAX_CALLS = 16;

/** The calls of an answer that is nothing but calls in the family's own syntax. */
export function writtenCalls(text: string, model: string): WrittenCall[] {
  const whole = text.trim();
  if (whole.length === 0 || whole.length > MAX_TEXT) return [];
  const family = familyOfId(model);
  const forms = Object.hasOwn(FORMS, family) ? (FORMS[family] as readonly CallForm[]) : USUAL;
  for (const form of forms) {
    const calls = form(whole);
    if (calls?.length) return calls.length <= MAX_CALLS ? calls : [];
  }
  return [];
}

/** Each piece of the text between two marks; undefined where there is anything else. */
function pieces(text: string, open: string, close: string): string[] | undefined {
  const found: string[] = [];
  let rest = text.trim();
  while (rest !== '') {
    if (!rest.startsWith(open)) return undefined;
    const end = rest.indexOf(close, open.length);
    if (end === -1) return undefined;
    found.push(rest.slice(open.length, end));
    rest = rest.slice(end + close.length).trim();
  }
  return found;
}

/** The calls of all pieces; undefined where one of them is none. */
function eachCall(texts: readonly string[] | undefined, read: (text: string) => WrittenCall | undefined) {
  const calls = texts?.map(read);
  return calls?.every((one) => one !== undefined) ? calls : undefined;
}

/** `{"name": …, "arguments": {…}}` */
function jsonCall(text: string): WrittenCall | undefined {
  try {
    const { name, arguments: given, parameters } = JSON.parse(text) as Record<string, unknown>;
    const args = given ?? parameters ?? {};
    if (typeof name !== 'string') return undefined;
    return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) };
  } catch {
    return undefined;
  }
}

/** Hermes and Qwen: `<tool_call>{…}</tool_call>`. */
function tagged(text: string): WrittenCall[] | undefined {
  return eachCall(pieces(text, '<tool_call>', '</tool_call>'), jsonCall);
}

/** Qwen coder: `<function=read><parameter=path>a</parameter></function>`, in `<tool_call>` or without it. */
function functions(text: string): WrittenCall[] | undefined {
  const inside = pieces(text, '<tool_call>', '</tool_call>')?.join('\n') ?? text.replace(/<\/tool_call>$/, '');
  return eachCall(pieces(inside, '<function=', '</function>'), (one) => {
    const [, name, body = ''] = /^([^>\s]+)>([\s\S]*)$/.exec(one) ?? [];
    return xmlCall(name, pieces(body, '<parameter=', '</parameter>'), /^([^>\s]+)>([\s\S]*)$/);
  });
}

/** `<invoke name="Read"><parameter name="file_path">a</parameter></invoke>`, in a frame or without it. */
function invokes(text: string): WrittenCall[] | undefined {
  const frame = /^<((?:antml:|minimax:)?(?:function_calls|tool_call))>([\s\S]*)<\/\1>$/.exec(text);
  const inside = (frame?.[2] ?? text).replaceAll(/<(\/?)antml:/g, '<$1');
  return eachCall(pieces(inside, '<invoke name="', '</invoke>'), (one) => {
    const [, name, body = ''] = /^([^"]+)">([\s\S]*)$/.exec(one) ?? [];
    return xmlCall(name, pieces(body, '<parameter name="', '</parameter>'), /^([^"]+)">([\s\S]*)$/);
  });
}

/** GLM: `<tool_call>read<arg_key>path</arg_key><arg_value>a</arg_value></tool_call>`. */
function keyed(text: string): WrittenCall[] | undefined {
  return eachCall(pieces(text, '<tool_call>', '</tool_call>'), (one) => {
    const [, name, body = ''] = /^\s*([\w.-]+)\s*([\s\S]*)$/.exec(one) ?? [];
    return xmlCall(name, pieces(body, '<arg_key>', '</arg_value>'), /^([^<]+)<\/arg_key>\s*<arg_value>([\s\S]*)$/);
  });
}

function xmlCall(
  name: string | undefined,
  params: readonly string[] | undefined,
  form: RegExp,
): WrittenCall | undefined {
  if (name === undefined || !params) return undefined;
  const entries: [string, string][] = [];
  for (const param of params) {
    const [, key, value] = form.exec(param) ?? [];
    if (key === undefined || value === undefined) return undefined;
    // A line break after the opening mark and before the closing one belongs to the form.
    entries.push([key.trim(), value.replace(/^\n|\n$/g, '')]);
  }
  return { name, arguments: JSON.stringify(Object.fromEntries(entries)) };
}

/** Kimi: sections with `functions.read:0` and the arguments. */
function sections(text: string): WrittenCall[] | undefined {
  const [inside, ...more] = pieces(text, '<|tool_calls_section_begin|>', '<|tool_calls_section_end|>') ?? [text];
  if (inside === undefined || more.length > 0) return undefined;
  return eachCall(pieces(inside, '<|tool_call_begin|>', '<|tool_call_end|>'), (one) => {
    const [, name, args] = /^([\w.-]+?)(?::\d+)?\s*<\|tool_call_argument_begin\|>([\s\S]*)$/.exec(one.trim()) ?? [];
    return name !== undefined && args !== undefined ? { name, arguments: args.trim() } : undefined;
  });
}

/** DeepSeek: with its own bars and blanks. */
function deepSeek(text: string): WrittenCall[] | undefined {
  const [inside, ...more] = pieces(text, '<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>') ?? [text];
  if (inside === undefined || more.length > 0) return undefined;
  return eachCall(pieces(inside, '<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'), (one) => {
    const fenced = /^function<｜tool▁sep｜>([\w.-]+)\s*```json\s*([\s\S]*?)\s*```$/.exec(one.trim());
    const [, name, args] = fenced ?? /^([\w.-]+)<｜tool▁sep｜>([\s\S]*)$/.exec(one.trim()) ?? [];
    return name !== undefined && args !== undefined ? { name, arguments: args } : undefined;
  });
}

/** Mistral: `[TOOL_CALLS][{…}]` or `[TOOL_CALLS]read[ARGS]{…}`. */
function toolCalls(text: string): WrittenCall[] | undefined {
  if (!text.startsWith('[TOOL_CALLS]')) return undefined;
  const parts = text.split('[TOOL_CALLS]').slice(1);
  if (parts.length === 1 && parts[0]?.trim().startsWith('[')) return listed(parts[0]);
  return eachCall(parts, (part) => {
    const [, name, args] = /^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{[\s\S]*\})\s*$/.exec(part) ?? [];
    return name !== undefined && args !== undefined ? { name, arguments: args } : undefined;
  });
}

function listed(text: string): WrittenCall[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list)
      ? eachCall(
          list.map((one) => JSON.stringify(one)),
          jsonCall,
        )
      : undefined;
  } catch {
    return undefined;
  }
}

/** Harmony: `<|channel|>commentary to=functions.read <|constrain|>json<|message|>{…}<|call|>`. */
function harmony(text: string): WrittenCall[] | undefined {
  const [, name, args] =
    /^(?:<\|start\|>assistant)?<\|channel\|>\w+ to=([\w.-]+)\s*(?:<\|constrain\|>)?\s*(?:json)?\s*<\|message\|>([\s\S]*?)(?:<\|call\|>)?$/.exec(
      text,
    ) ?? [];
  return name !== undefined && args?.startsWith('{') ? [{ name, arguments: args }] : undefined;
}
