import { type ReactNode, useId } from 'react';

/** A labeled control. */
export function Field({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children(id)}
    </div>
  );
}

interface PickProps<Value extends string> {
  value: Value;
  values: readonly Value[];
  nameOf: (value: Value) => string;
  pick: (value: Value) => void;
  /** Its label, if it is the only control. */
  label?: string;
  id?: string;
  className: string;
}

/** A choice among a few fixed values. */
export function ChoiceField<Value extends string>({ values, nameOf, pick, label, ...rest }: PickProps<Value>) {
  return (
    <select
      {...rest}
      aria-label={label}
      onChange={(event) => {
        const next = values.find((value) => value === event.currentTarget.value);
        if (next !== undefined) pick(next);
      }}
    >
      {values.map((value) => (
        <option key={value} value={value}>
          {nameOf(value)}
        </option>
      ))}
    </select>
  );
}
