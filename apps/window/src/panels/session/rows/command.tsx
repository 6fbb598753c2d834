import type { CommandItem } from '@fucina/conversation';
import { Ban, Check, LoaderCircle, Square, Terminal, X } from 'lucide-react';
import { useParams } from 'react-router';
import { Enforcement, Output } from '../../../parts/output.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useProcessAction } from '../../../wire/process-actions.ts';
import { useWords } from '../../../words/words.ts';

/** A command of the user, with its live output. */
export function Command({ item }: { item: CommandItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const stop = useProcessAction(sessionId, item.key, 'stop');
  const isStopped = item.isOver && item.exitCode === undefined && item.error === undefined;
  const isFailed = item.isOver && !isStopped && item.exitCode !== 0;
  const Mark = !item.isOver ? LoaderCircle : isStopped ? Ban : isFailed ? X : Check;
  const mark = !item.isOver ? 'tool.running' : isStopped ? 'tool.cut' : isFailed ? 'tool.failed' : 'tool.over';
  return (
    <section className="own-command" aria-label={say('command.own')}>
      <header className="own-command-head">
        <Terminal size={14} className="muted" aria-hidden />
        <code className="command" title={item.command}>
          {item.command}
        </code>
        <span className="small tabular muted">
          {isStopped && say('command.stopped')}
          {item.isOver && item.exitCode !== undefined && say('tool.exit', { code: item.exitCode })}
        </span>
        <Mark
          size={14}
          className={!item.isOver ? 'spin accent' : isFailed ? 'danger' : 'muted'}
          aria-label={say(mark)}
        />
        {!item.isOver && (
          <button
            type="button"
            className="icon-button"
            aria-label={say('inspector.stopProcess', { name: item.command })}
            title={say('act.stop')}
            disabled={stop.isPending}
            onClick={() => stop.mutate()}
          >
            <Square size={12} aria-hidden />
          </button>
        )}
      </header>
      {item.error && <p className="danger small">{item.error}</p>}
      {item.output && <Output text={item.output} label={say('tool.output')} isEnd={!item.isOver} />}
      {item.isOver && item.enforcement && item.enforcement !== 'none' && <Enforcement value={item.enforcement} />}
      {stop.error && <Failure error={stop.error} />}
    </section>
  );
}
