import { cleanText } from '@fucina/conversation/clean-text';
import { ShieldCheck, ShieldOff } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useWords } from '../words/words.ts';
import { CopyButton } from './ref.tsx';
import { sandboxWords } from './sandbox-words.ts';

const MOST_SHOWN = 20_000;

interface OutputProps {
  text: string;
  label: string;
  /** Still running: scrolls to its end. */
  isEnd?: boolean;
  /** A command: its hidden characters are made visible. */
  isCommand?: boolean;
}

/** Output of a command, with a copy button. */
export function Output({ text: given, label, isEnd = false, isCommand = false }: OutputProps) {
  const { say, number } = useWords();
  const [isWhole, setIsWhole] = useState(false);
  const box = useRef<HTMLPreElement>(null);
  const text = isCommand ? cleanText(given) : given;
  const isCut = !isWhole && text.length > MOST_SHOWN;
  useLayoutEffect(() => {
    if (isEnd && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [isEnd, text]);
  const shown = isEnd ? text.slice(-MOST_SHOWN) : text.slice(0, MOST_SHOWN);
  return (
    <div className="output">
      <div className="output-head">
        <span>{label}</span>
        <CopyButton value={given} />
      </div>
      <pre ref={box} tabIndex={0} aria-label={label}>
        {isCut ? shown : text}
      </pre>
      {isCut && !isEnd && (
        <button type="button" className="diff-more" onClick={() => setIsWhole(true)}>
          {say('tool.more', { count: number(text.length - MOST_SHOWN) })}
        </button>
      )}
    </div>
  );
}

/** How a command was sandboxed: an icon and a name, explained in the tooltip. */
export function Enforcement({ value }: { value: string }) {
  const { say } = useWords();
  const isSandboxed = value !== 'none';
  const Shield = isSandboxed ? ShieldCheck : ShieldOff;
  return (
    <p className="muted small enforcement" title={say(isSandboxed ? 'enforcement.limits' : 'enforcement.no-limits')}>
      <Shield size={12} aria-hidden />
      {sandboxWords(value, say)}
    </p>
  );
}
