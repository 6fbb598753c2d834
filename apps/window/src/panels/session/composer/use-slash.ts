import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { mcpSuggestionsQuery } from '../../../wire/mcp-suggestions.ts';
import { sessionToolsQuery } from '../../../wire/queries.ts';
import type { SlashCommand } from '../../../wire/records.ts';

/** Opens the settings; sends no message. */
const OF_WINDOW: readonly SlashCommand[] = [
  { name: 'sandbox', usage: '/sandbox', description: '', origin: 'internal' },
];

/** The page of a window command; undefined for any other text. */
export const placeOf = (text: string): string | undefined =>
  text.trim() === '/sandbox' ? '/settings/sandbox' : undefined;

export interface Slash {
  id: string;
  isOpen: boolean;
  commands: readonly SlashCommand[];
  at: number;
  /** ARIA attributes that connect the field to the list. */
  attributes: Record<string, string>;
  pick(command: SlashCommand): void;
  look(at: number): void;
  /** Whether the list used the key. */
  press(event: KeyboardEvent): boolean;
}

interface Offered {
  commands: readonly SlashCommand[];
  /** What is typed already, as an entry names it. */
  typed: string | undefined;
  textOf(command: SlashCommand): string;
}

/** The commands that begin with the text after `/`, until the first space. */
function useCommands(sessionId: string, text: string): Offered {
  const [, begun] = /^\/([\w:-]*)$/.exec(text) ?? [];
  const tools = useQuery({ ...sessionToolsQuery(sessionId), enabled: begun !== undefined });
  const all = begun === undefined ? [] : [...(tools.data?.commands ?? []), ...OF_WINDOW];
  return {
    commands: all.filter(({ name }) => name.startsWith(begun ?? '')),
    typed: begun,
    // A command without arguments can be sent at once.
    textOf: ({ name, usage }) => (usage.trim() === `/${name}` ? `/${name}` : `/${name} `),
  };
}

/** Values of the arguments of a prompt of an MCP server, where the server knows them. */
function useArguments(sessionId: string, text: string): Offered {
  const isMeant = /^\/mcp__[\w-]+\s/.test(text);
  const { data = [] } = useQuery({ ...mcpSuggestionsQuery(sessionId, text), enabled: isMeant });
  return {
    commands: (isMeant ? data : []).map(
      ({ text, name, detail }): SlashCommand => ({
        name: text,
        usage: name,
        description: detail,
        origin: 'internal',
      }),
    ),
    typed: text.trimEnd(),
    textOf: ({ name }) => `${name} `,
  };
}

/** Commands after `/`, and arguments of prompts; closed by Esc. */
export function useSlash(sessionId: string, text: string, setText: (text: string) => void): Slash {
  const id = useId();
  const [closedFor, setClosedFor] = useState<string>();
  const [at, setAt] = useState(0);
  const names = useCommands(sessionId, text);
  const values = useArguments(sessionId, text);
  const offered = names.commands.length > 0 ? names : values;
  const commands = closedFor === text ? [] : offered.commands;
  const current = Math.min(at, commands.length - 1);
  const isOpen = commands.length > 0;
  const pick = (command: SlashCommand) => {
    setAt(0);
    const next = offered.textOf(command);
    setText(next);
    if (!next.endsWith(' ')) setClosedFor(next);
  };
  return {
    id,
    isOpen,
    commands,
    at: current,
    attributes: isOpen ? { 'aria-controls': id, 'aria-activedescendant': `${id}-${current}` } : {},
    pick,
    look: setAt,
    press(event) {
      if (!isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      const command = commands[current];
      // Enter sends a complete name instead of completing it again.
      const isDone = event.key === 'Enter' && command?.name === offered.typed;
      if (step) setAt((current + step + commands.length) % commands.length);
      else if (event.key === 'Escape') setClosedFor(text);
      else if (command && !isDone && (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey))) pick(command);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
