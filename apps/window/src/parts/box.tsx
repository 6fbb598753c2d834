import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';

/** A bordered box. `tone` is the kind of attention it needs. */
export function Card(props: { tone?: 'plain' | 'ask' | 'warning'; label?: string; children: ReactNode }) {
  return (
    <section className="card" data-tone={props.tone ?? 'plain'} aria-label={props.label}>
      {props.children}
    </section>
  );
}

/** A titled section, separated by space and a line. */
export function Panel(props: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <header className="panel-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

interface FoldProps {
  head: ReactNode;
  isOpen?: boolean;
  /** With it, the parent controls `isOpen`. */
  toggle?: (isOpen: boolean) => void;
  /** At the end of the row. */
  aside?: ReactNode;
  className?: string;
  children: () => ReactNode;
}

/** A row that expands. */
export function Fold(props: FoldProps) {
  const [isOwn, setIsOwn] = useState(props.isOpen ?? false);
  const { toggle = setIsOwn } = props;
  const isOpen = props.toggle ? props.isOpen : isOwn;
  const id = useId();
  return (
    <div className={`fold ${props.className ?? ''}`} data-open={isOpen || undefined}>
      <button
        type="button"
        className="fold-head"
        aria-expanded={isOpen ?? false}
        aria-controls={isOpen ? id : undefined}
        onClick={() => toggle(!isOpen)}
      >
        <ChevronRight size={14} className="fold-mark" aria-hidden />
        {props.head}
      </button>
      {props.aside}
      {isOpen && (
        <div className="fold-body" id={id}>
          {props.children()}
        </div>
      )}
    </div>
  );
}

/** A progress bar with a text. */
export function Gauge(props: { label: string; fraction: number | undefined; text: string }) {
  const percent = props.fraction === undefined ? 0 : Math.min(100, Math.max(0, props.fraction * 100));
  const tone = percent >= 90 ? 'danger' : percent >= 70 ? 'warning' : 'plain';
  return (
    <div className="gauge">
      <div className="gauge-words">
        <span>{props.label}</span>
        <span className="tabular muted">{props.text}</span>
      </div>
      {props.fraction !== undefined && (
        <div
          className="gauge-track"
          role="meter"
          aria-label={props.label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(percent)}
          aria-valuetext={props.text}
        >
          <div className="gauge-fill" data-tone={tone} style={{ transform: `scaleX(${percent / 100})` }} />
        </div>
      )}
    </div>
  );
}
