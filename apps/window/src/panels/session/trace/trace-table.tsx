import { Ban, X } from 'lucide-react';
import { type CSSProperties, useRef } from 'react';
import { toolLabels } from '../../../parts/tool-words.ts';
import { useConversation } from '../../../session/use-session.tsx';
import { useRovingList } from '../../../shell/roving-list.ts';
import type { TraceSpan, TraceStep, TurnTrace } from '../../../wire/records.ts';
import { useWords } from '../../../words/words.ts';
import { barOf, lengthOf, wholeOf } from './trace-scale.ts';
import { stepName, stepSubject } from './trace-words.ts';

const KINDS = {
  model: 'model',
  tool: 'tools',
  waiting: 'user',
  retry: 'retry',
  compaction: 'compaction',
} as const;

function Bar({ span, total, kind }: { span: TraceSpan; total: number; kind: string }) {
  const { left, width } = barOf(span, total);
  // The shortest bar is 2 px wide, also at the end of the axis.
  return (
    <span className="trace-bar" data-kind={kind} style={{ left: `min(${left}%, 100% - 2px)`, width: `${width}%` }} />
  );
}

/** The wait for the user, and the time itself; of a model call the part before its first output is lighter. */
function Bars({ step, total }: { step: TraceStep; total: number }) {
  const { userWait, firstOutputMs, startMs, endMs, outcome } = step;
  const isWaiting = outcome === 'running' && userWait?.endMs === null;
  const kind = outcome === 'failed' ? 'failed' : KINDS[step.kind];
  return (
    <div className="trace-track" aria-hidden>
      {!isWaiting && <Bar span={step} total={total} kind={kind} />}
      {step.kind === 'model' && outcome !== 'failed' && (
        <Bar span={{ startMs, endMs: firstOutputMs ?? endMs }} total={total} kind="first" />
      )}
      {userWait && <Bar span={userWait} total={total} kind="user" />}
    </div>
  );
}

/** Of a step that failed or was stopped: what happened, as an icon and a word. */
function Outcome({ outcome }: { outcome: TraceStep['outcome'] }) {
  const { say } = useWords();
  if (outcome !== 'failed' && outcome !== 'interrupted') return null;
  const Icon = outcome === 'failed' ? X : Ban;
  return (
    <span className="trace-outcome">
      <Icon size={12} aria-hidden />
      <span>{say(`trace.outcome.${outcome}`)}</span>
    </span>
  );
}

interface RowProps {
  step: TraceStep;
  total: number;
  subject: string;
  isChosen: boolean;
  choose: () => void;
}

function Row({ step, total, subject, isChosen, choose }: RowProps) {
  const words = useWords();
  const { say, duration } = words;
  const Icon = step.kind === 'tool' ? toolLabels(step.name).icon : undefined;
  const whole = wholeOf(step);
  return (
    <tr data-chosen={isChosen || undefined} data-outcome={step.outcome} onMouseEnter={choose}>
      <th scope="row" style={{ '--level': step.level } as CSSProperties}>
        <button type="button" className="trace-step" data-roving tabIndex={-1} onFocus={choose} onClick={choose}>
          {Icon && <Icon size={12} aria-hidden />}
          <span className="trace-name">{stepName(step, words)}</span>
          {subject && <span className="trace-subject muted">{subject}</span>}
          <Outcome outcome={step.outcome} />
        </button>
      </th>
      <td className="trace-start tabular muted">{duration(whole.startMs)}</td>
      <td className="trace-time">
        <Bars step={step} total={total} />
      </td>
      <td className="trace-length tabular">
        {duration(lengthOf(whole, total))}
        {step.outcome === 'running' && <span className="unseen">{say('trace.running')}</span>}
      </td>
    </tr>
  );
}

interface TableProps {
  trace: TurnTrace;
  total: number;
  chosen: number;
  choose: (at: number) => void;
}

/** The steps with their bars: a table, whose rows the arrow keys choose. */
export function TraceTable({ trace, total, chosen, choose }: TableProps) {
  const { say, duration } = useWords();
  const conversation = useConversation();
  const body = useRef<HTMLTableSectionElement>(null);
  const move = useRovingList(body);
  return (
    <div className="trace-scroll">
      <table className="trace-table small" aria-label={say('trace.title')}>
        <thead>
          <tr>
            <th scope="col">{say('trace.step')}</th>
            <th scope="col" className="trace-start">
              {say('trace.start')}
            </th>
            <th scope="col" className="trace-time">
              <span className="unseen">{say('trace.bar')}</span>
              <span className="trace-axis tabular muted" aria-hidden>
                <span>0</span>
                <span>{duration(total / 2)}</span>
                <span>{duration(total)}</span>
              </span>
            </th>
            <th scope="col" className="trace-length">
              {say('trace.length')}
            </th>
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={move}>
          {trace.steps.map((step, at) => (
            <Row
              key={at}
              step={step}
              total={total}
              subject={stepSubject(step, conversation)}
              isChosen={at === chosen}
              choose={() => choose(at)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}
