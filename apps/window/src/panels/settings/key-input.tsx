import { Button } from '@mantine/core';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useWords } from '../../words/words.ts';

interface KeyInputProps {
  label: string;
  isBusy: boolean;
  act?: string;
  isFocused?: boolean;
  /** `clear` empties the field: a saved key must not stay on the page. */
  save: (key: string, clear: () => void) => void;
  /** Called with whether the field has content. */
  onEdit?: (isEdited: boolean) => void;
  /** Shown between the field and the button. */
  children?: ReactNode;
}

/** A field for a secret, which is sent once and never shown again. */
export function KeyInput({ label, isBusy, act, isFocused = false, save, onEdit, children }: KeyInputProps) {
  const { say } = useWords();
  const id = useId();
  const [key, setKey] = useState('');
  const change = (text: string) => {
    setKey(text);
    onEdit?.(text.trim() !== '');
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key.trim()) save(key.trim(), () => change(''));
  };
  return (
    <form onSubmit={submit}>
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="inline-form">
        <input
          id={id}
          type="password"
          // Password managers must not store this.
          autoComplete="off"
          spellCheck={false}
          autoFocus={isFocused}
          className="input code-input"
          value={key}
          onChange={(event) => change(event.currentTarget.value)}
        />
        {children}
        <Button type="submit" loading={isBusy} disabled={!key.trim()}>
          {act ?? say('act.save')}
        </Button>
      </div>
    </form>
  );
}
