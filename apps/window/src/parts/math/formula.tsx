import 'katex/dist/katex.min.css';
import katex from 'katex';
import { useLayoutEffect, useRef, useState } from 'react';

/** Limits of one formula: it may not define macros without end or draw over the page. */
const OPTIONS = { trust: false, strict: 'ignore', maxExpand: 200, maxSize: 20 } as const;

/** A formula, typeset; with an error in it, its source. Screen readers get MathML. */
export function Formula({ text, isBlock }: { text: string; isBlock: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isBroken, setIsBroken] = useState(false);
  useLayoutEffect(() => {
    if (!place.current) return;
    try {
      katex.render(text, place.current, { ...OPTIONS, displayMode: isBlock, throwOnError: true });
      setIsBroken(false);
    } catch {
      setIsBroken(true);
    }
  }, [text, isBlock]);
  return (
    <>
      {isBroken && <code>{text}</code>}
      <span
        ref={place}
        className="formula"
        data-block={isBlock || undefined}
        tabIndex={isBlock ? 0 : undefined}
        hidden={isBroken}
      />
    </>
  );
}
