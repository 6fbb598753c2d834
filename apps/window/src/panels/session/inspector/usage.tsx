import type { Conversation } from '@fucina/conversation';
import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../parts/box.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { metricsQuery } from '../../../wire/queries.ts';
import type { Metrics, SessionRow } from '../../../wire/records.ts';
import { useWords } from '../../../words/words.ts';
import { SessionBudget } from '../../usage/session-budget.tsx';
import { costWords, usageWords } from '../rows/turn-end.tsx';
import { TraceButton } from '../trace/trace-button.tsx';

const usageOf = (conversation: Conversation) => conversation.usage;
const costOf = (conversation: Conversation) => conversation.cost;
const totalOf = (conversation: Conversation) => conversation.totalCost;

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd className="tabular">{value}</dd>
    </div>
  );
}

function MetricFacts({ metrics }: { metrics: Metrics }) {
  const { say, duration, number } = useWords();
  const unmeasured = say('metric.none');
  const first = metrics.firstToken?.firstVisibleMs ?? metrics.firstToken?.ms;
  return (
    <>
      <Fact name={say('metric.turns')} value={metrics.steps === null ? unmeasured : number(metrics.steps)} />
      <Fact name={say('metric.first')} value={typeof first === 'number' ? duration(first) : unmeasured} />
    </>
  );
}

/** Usage and cost of the turn and the session, as far as the providers report them. */
export function UsagePanel({ row }: { row: SessionRow }) {
  const words = useWords();
  const { say } = words;
  const usage = useConversationFact(usageOf);
  const cost = costWords(useConversationFact(costOf), words);
  const total = costWords(useConversationFact(totalOf), words);
  const metrics = useQuery(metricsQuery(row.sessionId));
  const session = row.sessionUsage;
  return (
    <Panel title={say('inspector.usage')} aside={<TraceButton sessionId={row.sessionId} />}>
      <SessionBudget sessionId={row.sessionId} />
      {!usage && !session && <p className="muted small">{say('inspector.usage.none')}</p>}
      <dl className="facts">
        {usage && <Fact name={say('inspector.turn')} value={usageWords(usage, words)} />}
        {cost && <Fact name={say('inspector.turn.cost')} value={cost} />}
        {session && <Fact name={say('inspector.session')} value={usageWords(session, words)} />}
        {total && <Fact name={say('inspector.session.cost')} value={total} />}
        {metrics.data?.isRecorded && <MetricFacts metrics={metrics.data} />}
      </dl>
    </Panel>
  );
}
