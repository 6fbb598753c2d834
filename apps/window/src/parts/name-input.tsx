import { type KeyboardEvent, useState } from 'react';

interface NameInputProps {
  name: string;
  /** Accessible name. */
  label: string;
  /** Maximum length in characters. */
  longest?: number;
  /** Called once, with the new name; undefined when unchanged. */
  done: (name: string | undefined) => void;
}

/** Renames in place: Enter or blur saves, Esc cancels. */
export function NameInput({ name, label, longest = 80, done }: NameInputProps) {
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
      className="name-input"
      autoFocus
      aria-label={label}
      maxLength={longest}
      value={draft}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={save}
      onKeyDown={press}
    />
  );
}
