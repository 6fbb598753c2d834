/** Progress, as a bar and as text. */
export function Progress({ label, percent, text }: { label: string; percent: number; text: string }) {
  return (
    <div className="model-progress">
      <div
        className="model-track"
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
      >
        <div className="model-fill" style={{ transform: `scaleX(${percent / 100})` }} />
      </div>
      <span className="small muted tabular">{text}</span>
    </div>
  );
}
