import { TriangleAlert } from 'lucide-react';

/** Warnings before trusting something. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul className="extension-warnings">
      {warnings.map((warning) => (
        <li key={warning}>
          <TriangleAlert size={14} aria-hidden /> {warning}
        </li>
      ))}
    </ul>
  );
}
