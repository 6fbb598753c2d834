import { notShown, textStart } from '@fucina/shared';
import type { Client, Prompt } from '@modelcontextprotocol/client';
import { splitCommand } from '../trust/program.ts';
import { readBlocks } from './content-blocks.ts';
import { toolName } from './tool-name.ts';

/** A prompt of a server as a slash command. */
export interface PromptCommand {
  /** Without the slash. */
  name: string;
  summary: string;
  /** With its arguments. */
  usage: string;
}

const TIMEOUT_MS = 60_000;
const MAX_PROMPTS = 128;
const MAX_SUMMARY = 120;
const MAX_TEXT = 64 * 1024;

/** None when the server declares none. */
export async function promptsOf(client: Client): Promise<readonly Prompt[]> {
  if (!client.getServerCapabilities()?.prompts) return [];
  const { prompts } = await client.listPrompts({}, { timeout: TIMEOUT_MS });
  return prompts.slice(0, MAX_PROMPTS);
}

export function promptCommand(
  serverId: string,
  { name, description, title, arguments: args = [] }: Prompt,
): PromptCommand {
  const command = toolName(serverId, name);
  const shown = args.map((each) => (each.required ? `<${each.name}>` : `[${each.name}]`));
  const summary = textStart((description ?? title ?? name).replaceAll(/\s+/g, ' '), MAX_SUMMARY);
  return { name: command, summary, usage: [`/${command}`, ...shown].join(' ') };
}

/**
 * Words in the order of the arguments, or as `name=value`; quotes keep words together, and the last argument takes the
 * rest. `missing`: a required one.
 */
export function promptArguments(
  { arguments: declared = [] }: Prompt,
  typed: string,
): { values: Record<string, string> } | { missing: string } {
  const values: Record<string, string> = {};
  const words: string[] = [];
  for (const word of splitCommand(typed) ?? []) {
    const [name = '', ...rest] = word.split('=');
    if (rest.length > 0 && declared.some((each) => each.name === name)) values[name] = rest.join('=');
    else words.push(word);
  }
  const open = declared.filter(({ name }) => values[name] === undefined);
  for (const [at, { name }] of open.entries()) {
    const isLast = at === open.length - 1;
    const value = isLast ? words.slice(at).join(' ') : words[at];
    if (value) values[name] = value;
  }
  const missing = declared.find(({ name, required }) => required && values[name] === undefined);
  return missing ? { missing: missing.name } : { values };
}

/** The text of a prompt for the model. */
export async function promptText(client: Client, name: string, values: Record<string, string>): Promise<string> {
  const { messages } = await client.getPrompt({ name, arguments: values }, { timeout: TIMEOUT_MS });
  const isOne = messages.length === 1 && messages[0]?.role === 'user';
  const parts = messages.map(({ role, content }) => {
    const { texts, images, media } = readBlocks([content]);
    const text = [...texts, ...images.map((image) => notShown({ name: 'image', ...image })), ...media.map(notShown)];
    return isOne ? text.join('\n') : `${role}: ${text.join('\n')}`;
  });
  return textStart(parts.join('\n\n'), MAX_TEXT);
}
