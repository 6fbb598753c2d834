import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react';
import { useWords } from '../words/words.ts';

interface AskCardProps {
  card: RefObject<HTMLElement | null>;
  icon: LucideIcon;
  title: ReactNode;
  /** Shown beside the title. */
  facts?: ReactNode;
  /** The asking session, if it is not the one on screen. */
  from?: ReactNode;
  /** Number of further requests. */
  more: number;
  /** Shown at the end of the header. */
  tools?: ReactNode;
  press: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** The frame of every pending request, labeled with its title and the asking session. */
export function AskCard({ card, icon: Icon, title, facts, from, more, tools, press, children }: AskCardProps) {
  const { say } = useWords();
  const id = useId();
  return (
    <section
      ref={card}
      className="card ask"
      data-tone="ask"
      aria-labelledby={from ? `${id} ${id}-from` : id}
      onKeyDown={press}
    >
      <header className="ask-head">
        <Icon size={16} className="accent" aria-hidden />
        <h2 id={id}>{title}</h2>
        {facts}
        {from && <span id={`${id}-from`}>{from}</span>}
        {more > 0 && <span className="muted">{say('ask.more', { count: more })}</span>}
        {tools}
      </header>
      {children}
    </section>
  );
}
