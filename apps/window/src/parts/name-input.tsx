import { type KeyboardEvent, useState } from 'react';
import { useWords } from '../words/words.ts';

const LONGEST_NAME = 80;

interface NameInputProps {
  name: string;
  /** Called once, with what the name is to be; undefined when it stays as it was. */
  done: (name: string | undefined) => void;
}

/** Renames in place: Enter or leaving saves, Esc keeps the old name. */
export function NameInput({ name, done }: NameInputProps) {
  const { say } = useWords();
  const [draft, setDraft] = useState(name);
  const save = () => {
    const chosen = draft.trim();
    done(chosen !== '' && chosen !== name ? chosen : undefined);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter') save();
    if (event.key === 'Escape') {
      event.stopPropagation();
      done(undefined);
    }
  };
  return (
    <input
      className="session-name-input"
      autoFocus
      aria-label={say('session.rename')}
      maxLength={LONGEST_NAME}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={save}
      onKeyDown={press}
    />
  );
}
