import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { DiffCounts } from '../../parts/diff-counts.tsx';
import { useWords } from '../../words/words.ts';
import type { useChangeSteps } from './change-steps.ts';

export interface Turn {
  turn: number;
  /** What the user asked for in it. */
  name: string;
}

/** The whole session, one turn, or the branch. */
export type Scope = 'session' | 'branch' | number;

interface HeadProps {
  turns: readonly Turn[];
  scope: Scope;
  setScope: (scope: Scope) => void;
  hasBranch: boolean;
  count: { files: number; added: number; removed: number };
  steps: ReturnType<typeof useChangeSteps>;
  /** Beside the scope. */
  children?: ReactNode;
}

function Step({ name, keys, icon, go }: { name: string; keys: string; icon: ReactNode; go: () => void }) {
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={name}
      aria-keyshortcuts={keys}
      title={`${name} (${keys})`}
      onClick={go}
    >
      {icon}
    </button>
  );
}

const scopeOf = (value: string): Scope => (value === 'session' || value === 'branch' ? value : Number(value));

/** What is compared, how much changed, and the steps from change to change. */
export function ChangesHead({ turns, scope, setScope, hasBranch, count, steps, children }: HeadProps) {
  const { say } = useWords();
  const { sessionId } = useParams();
  return (
    <header className="changes-head">
      <select
        className="chip"
        aria-label={say('changes.span')}
        value={scope}
        onChange={(event) => setScope(scopeOf(event.currentTarget.value))}
      >
        <option value="session">{say('changes.session')}</option>
        {hasBranch && <option value="branch">{say('changes.branch')}</option>}
        {turns.map((one) => (
          <option key={one.turn} value={one.turn}>
            {say('changes.turn', { count: one.turn, name: one.name })}
          </option>
        ))}
      </select>
      {children}
      <span className="muted">{say('changes.files', { count: count.files })}</span>
      {count.files > 0 && (
        <>
          <DiffCounts added={count.added} removed={count.removed} />
          <span className="changes-steps">
            <Step
              name={say('review.previous')}
              keys="Shift+F7"
              icon={<ArrowUp size={14} aria-hidden />}
              go={steps.previous}
            />
            <Step name={say('review.next')} keys="F7" icon={<ArrowDown size={14} aria-hidden />} go={steps.next} />
          </span>
        </>
      )}
      <Link className="changes-git" to={`/sessions/${sessionId}/git`}>
        {say('session.git')}
      </Link>
    </header>
  );
}
