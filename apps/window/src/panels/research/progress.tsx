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

const KINDS: Record<Step['tipo'], LucideIcon> = { search: Search, read: Globe, synthesise: FileText, verify: Scale };
const STATES: Record<Step['stato'], [icon: LucideIcon, tone: string]> = {
  pending: [Circle, 'muted'],
  running: [LoaderCircle, 'live'],
  done: [CircleCheck, 'success'],
  failed: [CircleX, 'danger'],
  interrupted: [CircleSlash, 'warning'],
};

function StepLine({ step }: { step: Step }) {
  const words = useWords();
  const { say } = words;
  const Kind = KINDS[step.tipo];
  const [State, tone] = STATES[step.stato];
  return (
    <li className="research-step">
      <Kind size={14} className="muted" aria-hidden />
      <span className="research-step-name" title={step.nome}>
        <span className="muted">{say(`research.step.${step.tipo}`)}</span> {step.nome}
      </span>
      <span className="small muted tabular">{spendWords(step.spesa, words)}</span>
      <span className="run-mark small" data-tone={tone}>
        <State size={14} className={step.stato === 'running' ? 'spin' : undefined} aria-hidden />
        {say(`research.step.is.${step.stato}`)}
      </span>
    </li>
  );
}

/** The plan, and its completed steps. */
export function Progress({ research }: { research: Research }) {
  const { say } = useWords();
  const { plan, passi, stato, giornale } = research;
  return (
    <div className="research-body">
      <h3>{say('research.plan')}</h3>
      {plan.length === 0 ? (
        <p className="muted">{say(stato === 'running' ? 'research.plan.making' : 'research.plan.none')}</p>
      ) : (
        <ol className="research-plan">
          {plan.map((question, at) => (
            <li key={`${question} ${at}`}>{question}</li>
          ))}
        </ol>
      )}
      {passi.length > 0 && (
        <>
          <h3>{say('research.steps', { count: passi.length })}</h3>
          <ul className="research-steps">
            {passi.map((step) => (
              <StepLine key={step.id} step={step} />
            ))}
          </ul>
        </>
      )}
      {giornale !== null && giornale.righeSaltate > 0 && (
        <p className="small muted">{say('research.journal.skipped', { count: giornale.righeSaltate })}</p>
      )}
    </div>
  );
}
