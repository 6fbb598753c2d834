import type { Conversation } from '@fucina/conversation';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, CircleAlert, type LucideIcon, PanelBottomClose, Square, User, X } from 'lucide-react';
import { Fold, Panel } from '../../../parts/box.tsx';
import { Enforcement } from '../../../parts/output.tsx';
import { Answer, Failure } from '../../../parts/states.tsx';
import { toolLabels } from '../../../parts/tool-words.ts';
import { WholeOutput } from '../../../parts/whole-output.tsx';
import { useConversationFact } from '../../../session/use-session.tsx';
import { useProcessAction } from '../../../wire/process-actions.ts';
import { isProcessLive, processesQuery } from '../../../wire/queries.ts';
import type { ProcessRow, Signal } from '../../../wire/records.ts';
import { useWords, type Words } from '../../../words/words.ts';

const isRunningNow = (conversation: Conversation) => conversation.isRunning;
const MOST_SHOWN = 12;
/** A silent command produces no event, so it is polled. */
const LOOK_AGAIN_MS = 10_000;

function wordsOfSignal(signal: Signal, { say, duration }: Words): string {
  const name = signal.command ?? say(toolLabels(signal.tool ?? '').name, { name: signal.tool ?? '' });
  if (signal.kind === 'no-progress') return say('signal.repeats', { count: signal.repetitions, name });
  const since = duration(signal.stoppedForMs);
  if (signal.subject === 'approval') return say('signal.unanswered', { since });
  return say('signal.silent', { since, name });
}

function Acts({ row, sessionId }: { row: ProcessRow; sessionId: string }) {
  const { say } = useWords();
  const client = useQueryClient();
  const refresh = { onSettled: () => client.invalidateQueries({ queryKey: processesQuery(sessionId).queryKey }) };
  const stop = useProcessAction(sessionId, row.toolCallId, 'stop');
  const leave = useProcessAction(sessionId, row.toolCallId, 'background');
  const error = stop.error ?? leave.error;
  const name = row.command ?? row.tool;
  return (
    <span className="process-acts">
      {row.outcome === 'running' && row.origin === 'model' && (
        <button
          type="button"
          className="icon-button"
          aria-label={say('inspector.toBackground', { name })}
          title={say('tool.toBackground')}
          disabled={leave.isPending}
          onClick={() => leave.mutate(undefined, refresh)}
        >
          <PanelBottomClose size={14} aria-hidden />
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label={say('inspector.stopProcess', { name })}
        title={say('act.stop')}
        disabled={stop.isPending}
        onClick={() => stop.mutate(undefined, refresh)}
      >
        <Square size={12} aria-hidden />
      </button>
      {error && <Failure error={error} />}
    </span>
  );
}

function Outcome({ icon: Icon, tone, text }: { icon: LucideIcon; tone: 'danger' | 'warning'; text: string }) {
  return (
    <span className={`process-outcome ${tone}`}>
      <Icon size={12} aria-hidden />
      {text}
    </span>
  );
}

function Process({ row, sessionId }: { row: ProcessRow; sessionId: string }) {
  const { say, duration } = useWords();
  const took = row.durationMs ?? row.runningForMs;
  return (
    <li className="process">
      <Fold
        head={
          <>
            <code className="command" title={row.command ?? ''}>
              {row.command ?? row.description ?? row.tool}
            </code>
            {row.origin === 'user' && <User size={12} className="muted" aria-label={say('command.own')} />}
            <span className="tabular small muted process-facts">
              {row.outcome === 'background' && <span className="accent">{say('tool.inBackground')}</span>}
              {row.exitCode !== null && row.exitCode !== 0 && (
                <Outcome icon={X} tone="danger" text={say('tool.exit', { code: row.exitCode })} />
              )}
              {row.outcome === 'interrupted' && <Outcome icon={Ban} tone="warning" text={say('process.stopped')} />}
              {took !== null && <span>{duration(took)}</span>}
            </span>
          </>
        }
      >
        {() => (
          <div className="process-body">
            <pre className="process-command" tabIndex={0} aria-label={say('tool.command')}>
              {row.command ?? row.rawArguments}
            </pre>
            {row.description && <p className="muted small">{row.description}</p>}
            {row.sandbox && <Enforcement value={row.sandbox} />}
            <WholeOutput id={row.toolCallId} isRunning={isProcessLive(row)} />
          </div>
        )}
      </Fold>
      {isProcessLive(row) && <Acts row={row} sessionId={sessionId} />}
    </li>
  );
}

/** The commands of the session, latest first, with hints. Nothing here acts by itself. */
export function Processes({ sessionId }: { sessionId: string }) {
  const words = useWords();
  const { say } = words;
  const isRunning = useConversationFact(isRunningNow);
  const query = useQuery({ ...processesQuery(sessionId), refetchInterval: isRunning ? LOOK_AGAIN_MS : false });
  return (
    <Panel title={say('inspector.processes')}>
      <Answer query={query} lines={2}>
        {({ processes, guard }) => (
          <>
            {guard.signals?.map((signal, at) => (
              <p key={`${signal.kind} ${at}`} className="signal small">
                <CircleAlert size={14} className="warning" aria-hidden /> {wordsOfSignal(signal, words)}
              </p>
            ))}
            {!processes || processes.length === 0 ? (
              <p className="muted small">{say('inspector.processes.none')}</p>
            ) : (
              <ul className="rows">
                {[...processes]
                  .sort(
                    (one, other) =>
                      Number(isProcessLive(other)) - Number(isProcessLive(one)) ||
                      other.startSequence - one.startSequence,
                  )
                  .slice(0, MOST_SHOWN)
                  .map((row) => (
                    <Process key={row.toolCallId} row={row} sessionId={sessionId} />
                  ))}
              </ul>
            )}
          </>
        )}
      </Answer>
    </Panel>
  );
}
