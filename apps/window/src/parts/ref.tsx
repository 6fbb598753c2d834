import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { later } from '../ambient.ts';
import { useWords } from '../words/words.ts';

const SAID_MS = 1_500;

function useCopy(value: string): { isCopied: boolean; copy: () => void } {
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => (isCopied ? later(SAID_MS, () => setIsCopied(false)) : undefined), [isCopied]);
  const copy = () => {
    navigator.clipboard.writeText(value).then(
      () => setIsCopied(true),
      () => setIsCopied(false),
    );
  };
  return { isCopied, copy };
}

/** A short identifier that can be copied. */
export function Ref({ value, label, shown }: { value: string; label?: string; shown?: string }) {
  const { say } = useWords();
  const { isCopied, copy } = useCopy(value);
  return (
    <button type="button" className="ref" onClick={copy} title={say('act.copy')}>
      {label && <span className="muted">{label}</span>}
      <code>{shown ?? value}</code>
      {isCopied ? <Check size={12} aria-label={say('act.copied')} /> : <Copy size={12} aria-hidden />}
    </button>
  );
}

export function CopyButton({ value, label }: { value: string; label?: string }) {
  const { say } = useWords();
  const { isCopied, copy } = useCopy(value);
  const name = isCopied ? say('act.copied') : (label ?? say('act.copy'));
  return (
    <button type="button" className="icon-button" onClick={copy} aria-label={name} title={name}>
      {isCopied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
    </button>
  );
}
