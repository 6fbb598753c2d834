import type { RefObject } from 'react';

interface TextFieldProps {
  id: string;
  label: string;
  value: string;
  type?: 'text' | 'password';
  placeholder?: string;
  help?: string;
  problem?: string | undefined;
  isFocused?: boolean;
  input?: RefObject<HTMLInputElement | null>;
  change: (value: string) => void;
}

/** One line of text with its label, and a help or a problem below. */
export function TextField({ id, label, value, type = 'text', isFocused = false, change, ...more }: TextFieldProps) {
  const { placeholder, help, problem, input } = more;
  const said = problem ?? help;
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        ref={input}
        type={type}
        className="input code-input"
        autoComplete="off"
        spellCheck={false}
        autoFocus={isFocused}
        value={value}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={said ? `${id}-said` : undefined}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {said && (
        <p id={`${id}-said`} className={`small ${problem ? 'danger' : 'muted'}`}>
          {said}
        </p>
      )}
    </div>
  );
}
