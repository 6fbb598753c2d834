import { cleanText } from '@fucina/conversation/clean-text';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { WandSparkles } from 'lucide-react';
import { useId } from 'react';
import { Answer, Failure } from '../../parts/states.tsx';
import { Switch } from '../../parts/switch.tsx';
import { type Formatter, formattersQuery, refreshLanguage, turnFormatter } from '../../wire/language.ts';
import { useWords } from '../../words/words.ts';

function Row({ sessionId, formatter }: { sessionId: string; formatter: Formatter }) {
  const { say } = useWords();
  const client = useQueryClient();
  const { id, command, extensions, isOfProject, isOn, isTrusted } = formatter;
  const turn = useMutation({
    mutationFn: (isOn: boolean) => turnFormatter(sessionId, id, isOn),
    onSettled: () => refreshLanguage(client),
  });
  const isChanged = isOn && !isTrusted;
  return (
    <li className="extension-row">
      <Switch
        label={id}
        why={say(isChanged ? 'formatters.changed' : isOfProject ? 'formatters.ofProject' : 'formatters.ofSystem')}
        isOn={isOn && isTrusted}
        isDisabled={turn.isPending}
        change={(isOn) => turn.mutate(isOn)}
      />
      {turn.error && <Failure error={turn.error} />}
      <code className="extension-command">{cleanText(command)}</code>
      <p className="muted small">{extensions.join(' ')}</p>
    </li>
  );
}

/** Which formatters of a session's project format the files that the agent edits. */
export function Formatters({ sessionId }: { sessionId: string }) {
  const { say } = useWords();
  const id = useId();
  return (
    <section className="extension-section" aria-labelledby={id}>
      <h2 id={id}>
        <WandSparkles size={16} aria-hidden /> {say('formatters.title')}
      </h2>
      <p className="muted small">{say('formatters.why')}</p>
      <Answer query={useQuery(formattersQuery(sessionId))} lines={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p className="muted extension-none">{say('formatters.none')}</p>
          ) : (
            <ul className="extension-list">
              {rows.map((formatter) => (
                <Row key={formatter.id} sessionId={sessionId} formatter={formatter} />
              ))}
            </ul>
          )
        }
      </Answer>
    </section>
  );
}
