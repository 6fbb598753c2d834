import type { Prompt, Resource } from '@modelcontextprotocol/client';
import { splitCommand } from '../trust/program.ts';
import type { ServerCompletion } from './completion.ts';
import type { RunnableServer, Runner } from './runner.ts';
import { promptCommand } from './server-prompts.ts';
import { toolName } from './tool-name.ts';

/** One way to continue what the user types. */
export interface Suggestion {
  /** Replaces all that was typed. */
  text: string;
  name: string;
  detail: string;
  /** More follows, such as the next part of an address. */
  isOpen: boolean;
}

const MOST = 20;

interface SuggestionNeeds {
  runner: Pick<Runner, 'connection'>;
  servers: readonly RunnableServer[];
  folder: string;
}

/** Ways to continue `@server:uri`, or the arguments after `/mcp__server__prompt`. */
export async function suggest(needs: SuggestionNeeds, typed: string): Promise<readonly Suggestion[]> {
  if (typed.startsWith('@')) return suggestResources(needs, typed.slice(1));
  return typed.startsWith('/') ? suggestArguments(needs, typed) : [];
}

/** Without a server's name only names are suggested: that starts no program. */
async function suggestResources({ runner, servers, folder }: SuggestionNeeds, typed: string): Promise<Suggestion[]> {
  const [id = '', ...rest] = typed.split(':');
  if (rest.length === 0) {
    const meant = servers.filter((server) => server.id.toLowerCase().startsWith(typed.toLowerCase()));
    return meant.map((server) => ({ text: `@${server.id}:`, name: `${server.id}:`, detail: 'MCP', isOpen: true }));
  }
  const server = servers.find((each) => each.id === id);
  const connection = server && (await connectionFor({ runner, folder }, server));
  if (!connection) return [];
  const uri = rest.join(':');
  const { completion } = connection;
  const [resources, templates] = await Promise.all([
    completion.resources().catch(() => []),
    completion.templates().catch(() => []),
  ]);
  const fits = ({ uri: each, name, title = '' }: Resource): boolean =>
    [each, name, title].some((text) => text.toLowerCase().includes(uri.toLowerCase()));
  const found = resources.filter(fits).slice(0, MOST);
  const filled = await Promise.all(templates.slice(0, MOST).map((template) => fillTemplate(completion, template, uri)));
  return [
    ...found.map((each) => ({
      text: `@${id}:${each.uri}`,
      name: each.title ?? each.name,
      detail: each.uri,
      isOpen: false,
    })),
    ...filled.flat().map((each) => ({ ...each, text: `@${id}:${each.text}` })),
  ].slice(0, MOST);
}

/** Undefined for a server that does not start; why is in its log. */
async function connectionFor({ runner, folder }: Pick<SuggestionNeeds, 'runner' | 'folder'>, server: RunnableServer) {
  return runner.connection({ sessionId: `prompts ${folder}`, folder }, server).catch(() => undefined);
}

async function fillTemplate(
  completion: ServerCompletion,
  { uriTemplate, name }: { uriTemplate: string; name: string },
  typed: string,
): Promise<Suggestion[]> {
  const at = placeIn(uriTemplate, typed);
  if (!at) return [];
  if (!('argument' in at)) return [{ text: at.text, name, detail: uriTemplate, isOpen: true }];
  const values = await completion
    .values({
      ref: { type: 'ref/resource', uri: uriTemplate },
      argument: { name: at.argument, value: at.value },
      context: { arguments: at.known },
    })
    .catch(() => []);
  return values.map((value) => ({
    text: `${at.before}${value}${at.after}`,
    name: value,
    detail: uriTemplate,
    isOpen: at.isOpen,
  }));
}

type TemplatePlace =
  /** The text that comes before the next part to fill in. */
  | { text: string }
  | { argument: string; value: string; before: string; after: string; known: Record<string, string>; isOpen: boolean };

/** Where in a template a text ends; undefined when it does not fit, or for parts with an operator. */
export function placeIn(uriTemplate: string, typed: string): TemplatePlace | undefined {
  const parts = uriTemplate.split(/(\{[^}]*\})/);
  const known: Record<string, string> = {};
  let before = '';
  for (const [at, part] of parts.entries()) {
    const rest = typed.slice(before.length);
    const argument = /^\{(\w+)\}$/.exec(part)?.[1];
    if (part.startsWith('{') && !argument) return undefined;
    if (argument === undefined) {
      if (!rest.startsWith(part)) return part.startsWith(rest) ? { text: before + part } : undefined;
      before += part;
      continue;
    }
    const after = parts[at + 1] ?? '';
    const end = after ? rest.indexOf(after) : -1;
    if (end < 0) return { argument, value: rest, before, after, known, isOpen: at + 2 < parts.length && after !== '' };
    known[argument] = rest.slice(0, end);
    before += known[argument];
  }
  return undefined;
}

async function suggestArguments({ runner, servers, folder }: SuggestionNeeds, typed: string): Promise<Suggestion[]> {
  const [, command = '', argumentText] = /^\/(mcp__[\w-]+)\s([\s\S]*)$/.exec(typed) ?? [];
  // The id of one server may be the beginning of another's.
  const meant = servers.filter(({ id }) => command.startsWith(toolName(id, '')));
  for (const server of argumentText === undefined ? [] : meant) {
    const connection = await connectionFor({ runner, folder }, server);
    const prompts = await connection?.prompts().catch(() => []);
    const prompt = prompts?.find((each) => promptCommand(server.id, each).name === command);
    const place = prompt && argumentAt(prompt, argumentText ?? '');
    if (!connection || !prompt || !place) continue;
    const { name, value, known, before } = place;
    const values = await connection.completion
      .values({
        ref: { type: 'ref/prompt', name: prompt.name },
        argument: { name, value },
        context: { arguments: known },
      })
      .catch(() => []);
    return values.slice(0, MOST).map((each) => ({
      text: `/${command} ${before}${/\s/.test(each) ? JSON.stringify(each) : each}`,
      name: each,
      detail: name,
      isOpen: false,
    }));
  }
  return [];
}

/** The argument that is typed last, as `promptArguments` reads it. */
function argumentAt({ arguments: declared = [] }: Prompt, typed: string) {
  const last = /\S*$/.exec(typed)?.[0] ?? '';
  const before = typed.slice(0, typed.length - last.length);
  const known: Record<string, string> = {};
  const open = () => declared.find(({ name }) => known[name] === undefined)?.name;
  const named = (word: string): string | undefined => declared.find(({ name }) => word.startsWith(`${name}=`))?.name;
  for (const word of before.trim() ? (splitCommand(before) ?? []) : []) {
    const name = named(word) ?? open();
    if (name === undefined) return undefined;
    known[name] = word.startsWith(`${name}=`) ? word.slice(name.length + 1) : word;
  }
  const name = named(last) ?? open();
  if (name === undefined) return undefined;
  const value = last.startsWith(`${name}=`) ? last.slice(name.length + 1) : last;
  return { name, value, known, before: value === last ? before : `${before}${name}=` };
}
