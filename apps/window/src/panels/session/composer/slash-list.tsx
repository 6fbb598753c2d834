import '../../../styles/overlays.css';
import { isWordKey, useWords } from '../../../words/words.ts';
import type { Slash } from './use-slash.ts';

/** The available commands. */
export function SlashList({ slash }: { slash: Slash }) {
  const { say } = useWords();
  return (
    <div id={slash.id} className="slash" role="listbox" aria-label={say('slash.title')}>
      {slash.commands.map((command, at) => {
        const key = `slash.${command.name}`;
        const usage = `slash.usage.${command.name}`;
        const isOurs = command.origin === 'internal' && isWordKey(key);
        return (
          <div
            key={command.name}
            id={`${slash.id}-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === slash.at}
            className="pick-entry"
            onMouseMove={() => slash.look(at)}
            onClick={() => slash.pick(command)}
          >
            <code>{isOurs && isWordKey(usage) ? say(usage) : command.usage}</code>
            <span className="pick-name muted small">{isOurs ? say(key) : command.description}</span>
            {command.origin === 'written' && <span className="tag muted">{say('slash.written')}</span>}
          </div>
        );
      })}
    </div>
  );
}
