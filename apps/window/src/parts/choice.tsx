/** A few values side by side, one of which applies. */
export function Choice<Value extends string>(props: {
  label: string;
  values: readonly Value[];
  value: Value;
  name: (value: Value) => string;
  choose: (value: Value) => void;
}) {
  return (
    <div className="setting">
      <span className="field-label">{props.label}</span>
      <div className="choice" role="group" aria-label={props.label}>
        {props.values.map((value) => (
          <button key={value} type="button" aria-pressed={value === props.value} onClick={() => props.choose(value)}>
            {props.name(value)}
          </button>
        ))}
      </div>
    </div>
  );
}
