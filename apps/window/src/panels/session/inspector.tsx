import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Square } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import { Gauge, Panel } from '../../parts/box.tsx';
import { Counts } from '../../parts/diff-counts.tsx';
import { diffTexts } from '../../parts/line-diff.ts';
import { Answer, Failure } from '../../parts/states.tsx';
import { type Conversation, netChanges } from '../../session/conversation.ts';
import { usePicked } from '../../session/use-session.tsx';
import { metricsQuery, modelsQuery, processesQuery, useSessionAct } from '../../wire/queries.ts';
import type { Metrics, ProcessRow, SessionRow } from '../../wire/records.ts';
import { useWords } from '../../words/words.ts';

const changesOf = (conversation: Conversation) => conversation.changes;
const turnOf = (conversation: Conversation) => conversation.turn;
const usageOf = (conversation: Conversation) => conversation.usage;
const contextOf = (conversation: Conversation) => conversation.contextTokens;
/** Grows when a call begins or ends, or a turn does. */
const workOf = (conversation: Conversation) => {
  let over = 0;
  for (const item of conversation.items) if (item.kind === 'tool' && item.isOver) over += 1;
  return `${conversation.items.length} ${over} ${conversation.isRunning}`;
};

function Changed({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const changes = usePicked(changesOf);
  const turn = usePicked(turnOf);
  const files = useMemo(
    () =>
      netChanges(changes.filter((change) => change.turn === turn)).map((change) => ({
        path: change.path,
        ...diffTexts(change.before, change.after),
      })),
    [changes, turn],
  );
  return (
    <Panel title={say('inspector.files')}>
      {files.length === 0 ? (
        <p className="muted small">{say('inspector.files.none')}</p>
      ) : (
        <ul className="rows">
          {files.map((file) => (
            <li key={file.path}>
              <Link className="line-row" to={`/sessions/${sessionId}/changes#${encodeURIComponent(file.path)}`}>
                <span className="path" title={file.path}>
                  <bdi>{file.path}</bdi>
                </span>
                <Counts added={file.added} removed={file.removed} />
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Process({ row, sessionId }: { row: ProcessRow; sessionId: string }) {
  const { say, duration } = useWords();
  const client = useQueryClient();
  const stop = useSessionAct(sessionId, 'processes', row.toolCallId, 'stop');
  const isRunning = row.esito === 'in-corso';
  const took = row.durataMs ?? row.inCorsoDaMs;
  return (
    <li className="line-row">
      <code className="command" title={row.comando ?? ''}>
        {row.comando ?? row.descrizione ?? row.attrezzo}
      </code>
      <span className="tabular small muted process-facts">
        {row.codiceUscita !== null && row.codiceUscita !== 0 && (
          <span className="danger">{say('tool.exit', { code: row.codiceUscita })} </span>
        )}
        {took !== null && duration(took)}
      </span>
      {isRunning && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('inspector.stopProcess', { name: row.comando ?? row.attrezzo })}
          title={say('act.stop')}
          disabled={stop.isPending}
          onClick={() =>
            stop.mutate(undefined, {
              onSettled: () => client.invalidateQueries({ queryKey: processesQuery(sessionId).queryKey }),
            })
          }
        >
          <Square size={12} aria-hidden />
        </button>
      )}
      {stop.error && <Failure error={stop.error} />}
    </li>
  );
}

const MOST_PROCESSES = 12;

function Processes({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const query = useQuery(processesQuery(sessionId));
  return (
    <Panel title={say('inspector.processes')}>
      <Answer query={query} lines={2}>
        {({ processi }) =>
          !processi || processi.length === 0 ? (
            <p className="muted small">{say('inspector.processes.none')}</p>
          ) : (
            <ul className="rows">
              {processi
                .slice(-MOST_PROCESSES)
                .reverse()
                .map((row) => (
                  <Process key={row.toolCallId} row={row} sessionId={sessionId} />
                ))}
            </ul>
          )
        }
      </Answer>
    </Panel>
  );
}

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
  const first = metrics.primoToken?.msPrimoVisibile ?? metrics.primoToken?.ms;
  const cache = metrics.cache?.percentuale;
  return (
    <>
      <Fact name={say('metric.turns')} value={metrics.giri === null ? unmeasured : number(metrics.giri)} />
      <Fact
        name={say('metric.cache')}
        value={typeof cache === 'number' ? `${number(Math.round(cache))}%` : unmeasured}
      />
      <Fact name={say('metric.first')} value={typeof first === 'number' ? duration(first) : unmeasured} />
    </>
  );
}

function Consumption({ row }: { row: SessionRow }) {
  const { say, short } = useWords();
  const usage = usePicked(usageOf);
  const context = usePicked(contextOf);
  const models = useQuery({ ...modelsQuery, enabled: row.modello !== null });
  const metrics = useQuery(metricsQuery(row.sessionId));
  const model = models.data?.find((candidate) => isModel(candidate.provider, candidate.id, row.modello));
  const window = model?.contextLength ?? undefined;
  const session = row.usageSessione;
  return (
    <Panel title={say('inspector.usage')}>
      {context === undefined ? (
        <p className="muted small">{say('inspector.usage.none')}</p>
      ) : (
        <Gauge
          label={say('inspector.context')}
          fraction={window ? context / window : undefined}
          text={
            window
              ? say('inspector.context.of', { used: short(context), of: short(window) })
              : say('inspector.context.unknown', { used: short(context) })
          }
        />
      )}
      <dl className="facts">
        {usage && (
          <Fact
            name={say('inspector.turn')}
            value={say('turn.tokens', { in: short(usage.prompt_tokens), out: short(usage.completion_tokens) })}
          />
        )}
        {session && (
          <Fact
            name={say('inspector.session')}
            value={say('turn.tokens', { in: short(session.prompt_tokens), out: short(session.completion_tokens) })}
          />
        )}
        {metrics.data?.registrato && <MetricFacts metrics={metrics.data} />}
      </dl>
    </Panel>
  );
}

/** A catalog id is written with or without its provider. */
function isModel(provider: string, id: string, chosen: string | null): boolean {
  return chosen !== null && (id === chosen || `${provider}:${id}` === chosen);
}

/** What the session has touched, runs and uses, beside the conversation. */
export function Inspector({ row }: { row: SessionRow }) {
  const work = usePicked(workOf);
  const client = useQueryClient();
  useEffect(() => {
    void client.invalidateQueries({ queryKey: processesQuery(row.sessionId).queryKey });
    void client.invalidateQueries({ queryKey: metricsQuery(row.sessionId).queryKey });
  }, [client, row.sessionId, work]);
  return (
    <div className="inspector">
      <Changed sessionId={row.sessionId} />
      <Processes sessionId={row.sessionId} />
      <Consumption row={row} />
    </div>
  );
}
