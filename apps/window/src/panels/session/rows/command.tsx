import type { CommandItem } from '@fucina/conversation';
import { Check, LoaderCircle, Square, Terminal, X } from 'lucide-react';
import { useParams } from 'react-router';
import { Enforcement, Output } from '../../../parts/output.tsx';
import { Failure } from '../../../parts/states.tsx';
import { useProcessAction } from '../../../wire/queries.ts';
import { useWords } from '../../../words/words.ts';

/** A command of the user, with its live output. */
export function Command({ item }: { item: CommandItem }) {
  const { say } = useWords();
  const { sessionId = '' } = useParams();
  const stop = useProcessAction(sessionId, item.key, 'stop');
  const isFailed = item.isOver && item.exitCode !== 0;
  const Mark = !item.isOver ? LoaderCircle : isFailed ? X : Check;
  return (
    <section className="own-command" aria-label={say('command.own')}>
      <header className="own-command-head">
        <Terminal size={14} className="muted" aria-hidden />
        <code className="command" title={item.command}>
          {item.command}
        </code>
        <span className="small tabular muted">
          {item.isOver &&
            (item.exitCode === undefined ? say('command.stopped') : say('tool.exit', { code: item.exitCode }))}
        </span>
        <Mark
          size={14}
          className={!item.isOver ? 'spin accent' : isFailed ? 'danger' : 'muted'}
          aria-label={say(!item.isOver ? 'tool.running' : isFailed ? 'tool.failed' : 'tool.over')}
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
