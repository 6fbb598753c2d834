import '../../../styles/overlays.css';
import { isWordKey, useWords } from '../../../words/words.ts';
import type { Slash } from './use-slash.ts';

/** The available commands. */
export function SlashList({ slash }: { slash: Slash }) {
  const { say } = useWords();
  return (
    <div id={slash.id} className="slash" role="listbox" aria-label={say('slash.title')}>
      {slash.commands.map((command, at) => {
        const key = `slash.${command.nome}`;
        const usage = `slash.usage.${command.nome}`;
        const isOurs = command.origine === 'interno' && isWordKey(key);
        return (
          <div
            key={command.nome}
            id={`${slash.id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === slash.at}
            className="pick-entry"
            onMouseMove={() => slash.look(at)}
            onClick={() => slash.pick(command)}
          >
            <code>{isOurs && isWordKey(usage) ? say(usage) : command.uso}</code>
            <span className="pick-name muted small">{isOurs ? say(key) : command.descrizione}</span>
            {command.origine === 'scritto' && <span className="tag muted">{say('slash.written')}</span>}
          </div>
        );
      })}
    </div>
  );
}
