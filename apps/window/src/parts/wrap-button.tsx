import { WrapText } from 'lucide-react';
import { useWords } from '../words/words.ts';
import { useCodeWrap, wrapCode } from './code-wrap.ts';

/** Wraps the lines of code everywhere, or lets them scroll. */
export function WrapButton() {
  const { say } = useWords();
  const isWrapped = useCodeWrap();
  return (
    <button
      type="button"
      className="icon-button"
      aria-pressed={isWrapped}
      aria-label={say('act.wrapLines')}
      title={say('act.wrapLines')}
      onClick={() => wrapCode(!isWrapped)}
    >
      <WrapText size={14} aria-hidden />
    </button>
  );
}
