import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useState } from 'react';
import { sessionToolsQuery } from '../../../wire/queries.ts';
import type { SlashCommand } from '../../../wire/records.ts';

/** Opens the settings; sends no message. */
const OF_WINDOW: readonly SlashCommand[] = [{ nome: 'sandbox', uso: '/sandbox', descrizione: '', origine: 'interno' }];

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

/** The commands that begin with the text after `/`; closed by the first space or Esc. */
export function useSlash(sessionId: string, text: string, setText: (text: string) => void): Slash {
  const id = useId();
  const [closedFor, setClosedFor] = useState<string>();
  const [at, setAt] = useState(0);
  const [, begun] = /^\/([\w-]*)$/.exec(text) ?? [];
  const tools = useQuery({ ...sessionToolsQuery(sessionId), enabled: begun !== undefined });
  const commands =
    begun === undefined || closedFor === text
      ? []
      : [...(tools.data?.comandi ?? []), ...OF_WINDOW].filter(({ nome }) => nome.startsWith(begun));
  const current = Math.min(at, commands.length - 1);
  const isOpen = commands.length > 0;
  const pick = ({ nome, uso }: SlashCommand) => {
    setAt(0);
    // A command without arguments can be sent at once.
    const isWhole = uso.trim() === `/${nome}`;
    setText(isWhole ? `/${nome}` : `/${nome} `);
    if (isWhole) setClosedFor(`/${nome}`);
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
      const isDone = event.key === 'Enter' && command?.nome === begun;
      if (step) setAt((current + step + commands.length) % commands.length);
      else if (event.key === 'Escape') setClosedFor(text);
      else if (command && !isDone && (event.key === 'Tab' || (event.key === 'Enter' && !event.shiftKey))) pick(command);
      else return false;
      event.preventDefault();
      return true;
    },
  };
}
