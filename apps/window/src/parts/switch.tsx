/** A setting that is on or off, with its reason. */
export function Switch(props: {
  label: string;
  why?: string;
  isOn: boolean;
  isDisabled?: boolean;
  change: (isOn: boolean) => void;
}) {
  return (
    <label className="switch">
      <input
        type="checkbox"
        checked={props.isOn}
        disabled={props.isDisabled}
        onChange={(event) => props.change(event.currentTarget.checked)}
      />
      <span>
        <span className="level-name">{props.label}</span>
        {props.why && <span className="level-why">{props.why}</span>}
      </span>
    </label>
  );
}
