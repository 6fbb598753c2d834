import {
  Circle,
  CircleCheck,
  CircleSlash,
  CircleX,
  FileText,
  Globe,
  LoaderCircle,
  type LucideIcon,
  Scale,
  Search,
} from 'lucide-react';
import type { Research, Step } from '../../wire/research.ts';
import { useWords } from '../../words/words.ts';
import { spendWords } from './spend.ts';

const KINDS: Record<Step['kind'], LucideIcon> = { search: Search, read: Globe, synthesise: FileText, verify: Scale };
const STATES: Record<Step['state'], [icon: LucideIcon, tone: string]> = {
  pending: [Circle, 'muted'],
  running: [LoaderCircle, 'live'],
  done: [CircleCheck, 'success'],
  failed: [CircleX, 'danger'],
  interrupted: [CircleSlash, 'warning'],
};

function StepLine({ step }: { step: Step }) {
  const words = useWords();
  const { say } = words;
  const Kind = KINDS[step.kind];
  const [State, tone] = STATES[step.state];
  return (
    <li className="research-step">
      <Kind size={14} className="muted" aria-hidden />
      <span className="research-step-name" title={step.name}>
        <span className="muted">{say(`research.step.${step.kind}`)}</span> {step.name}
      </span>
      <span className="small muted tabular">{spendWords(step.spending, words)}</span>
      <span className="run-mark small" data-tone={tone}>
        <State size={14} className={step.state === 'running' ? 'spin' : undefined} aria-hidden />
        {say(`research.step.is.${step.state}`)}
      </span>
    </li>
  );
}

/** The plan, and its completed steps. */
export function Progress({ research }: { research: Research }) {
  const { say } = useWords();
  const { plan, steps, state, log } = research;
  return (
    <div className="research-body">
      <h3>{say('research.plan')}</h3>
      {plan.length === 0 ? (
        <p className="muted">{say(state === 'running' ? 'research.plan.making' : 'research.plan.none')}</p>
      ) : (
        <ol className="research-plan">
          {plan.map((question, at) => (
            <li key={`${question} ${at}`}>{question}</li>
          ))}
        </ol>
      )}
      {steps.length > 0 && (
        <>
          <h3>{say('research.steps', { count: steps.length })}</h3>
          <ul className="research-steps">
            {steps.map((step) => (
              <StepLine key={step.id} step={step} />
            ))}
          </ul>
        </>
      )}
      {log !== null && log.skippedLines > 0 && (
        <p className="small muted">{say('research.journal.skipped', { count: log.skippedLines })}</p>
      )}
    </div>
  );
}
