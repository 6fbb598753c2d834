import { type KeyboardEvent, useState } from 'react';

interface NameInputProps {
  name: string;
  /** What it is called for who cannot see it. */
  label: string;
  /** In characters. */
  longest?: number;
  /** Called once, with what the name is to be; undefined when it stays as it was. */
  done: (name: string | undefined) => void;
}

/** Renames in place: Enter or leaving saves, Esc keeps the old name. */
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
