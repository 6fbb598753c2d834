import { useQuery } from '@tanstack/react-query';
import { Panel } from '../../../parts/box.tsx';
import { Failure } from '../../../parts/states.tsx';
import type { InstructionSource } from '../../../wire/records.ts';
import { instructionsQuery } from '../../../wire/session-details.ts';
import { useWords } from '../../../words/words.ts';

const SHOWN = 50;

/** The files with instructions in the folder, by precedence: what of them agents get, and why others are left out. */
export function Instructions({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const query = useQuery(instructionsQuery(sessionId));
  const files = query.data?.instructions ?? [];
  if (query.error) return <Failure error={query.error} />;
  if (files.length === 0) return null;
  return (
    <Panel title={say('context.rules')}>
      <ol className="instruction-files">
        {files.slice(0, SHOWN).map((file) => (
          <InstructionFile key={file.path} file={file} />
        ))}
      </ol>
      {files.length > SHOWN && (
        <p className="muted small">{say('instructions.more', { count: files.length - SHOWN })}</p>
      )}
      <p className="muted small">{say('instructions.when')}</p>
    </Panel>
  );
}

function InstructionFile({ file }: { file: InstructionSource }) {
  const { say, bytes } = useWords();
  const { path, bytes: size, state, reason, ignored, line, column } = file;
  return (
    <li className="small">
      <code className={reason === null ? undefined : 'muted'}>
        {line === undefined ? path : `${path}:${line}:${column}`}
      </code>
      <span className="muted">
        {size > 0 && `${bytes(size)} · `}
        {reason === null ? say(`instructions.${state}`) : say(`instructions.why.${reason}`)}
        {ignored.length > 0 && `, ${say('instructions.ignored', { tools: ignored.join(', ') })}`}
      </span>
    </li>
  );
}
