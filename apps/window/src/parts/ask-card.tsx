import type { LucideIcon } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useId } from 'react';
import { useWords } from '../words/words.ts';

interface AskCardProps {
  card: RefObject<HTMLElement | null>;
  icon: LucideIcon;
  title: ReactNode;
  /** Beside the title. */
  facts?: ReactNode;
  /** Who asks, when it is not the session on screen. */
  from?: ReactNode;
  /** Requests behind this one. */
  more: number;
  /** At the end of the header. */
  tools?: ReactNode;
  press: (event: KeyboardEvent) => void;
  children: ReactNode;
}

/** The frame of every request that waits for the user, named after its title and who asks. */
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
