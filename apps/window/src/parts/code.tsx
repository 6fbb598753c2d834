import { cleanText } from '@fucina/conversation/clean-text';
import { memo, useEffect, useMemo, useState } from 'react';
import { loadChunk } from '../wire/load-chunk.ts';
import { useWords } from '../words/words.ts';
import { useCodeWrap } from './code-wrap.ts';
import type { ColouredPiece } from './highlight.ts';
import { CopyButton } from './ref.tsx';
import { WrapButton } from './wrap-button.tsx';

/** Above this size highlighting would be too slow. */
const MOST_COLOURED = 60_000;

function useColours(code: string, language: string, isOpen: boolean): ColouredPiece[][] | undefined {
  const [coloured, setColoured] = useState<{ code: string; lines: ColouredPiece[][] }>();
  useEffect(() => {
    if (isOpen || language === '' || code.length > MOST_COLOURED) return;
    let isCurrent = true;
    loadChunk(() => import('./highlight.ts'))
      .then(({ highlight }) => highlight(code, language))
      .then((lines) => {
        if (isCurrent && lines) setColoured({ code, lines });
      })
      // Without highlighting the text is complete.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [code, language, isOpen]);
  return coloured?.code === code ? coloured.lines : undefined;
}

/** Highlighted code by line, with optional line numbers and with its hidden characters made visible. */
export function CodeLines(props: { code: string; language: string; isOpen?: boolean; isNumbered?: boolean }) {
  // A final line break does not start another line.
  const code = useMemo(() => cleanText(props.code.replace(/\r?\n$/, '')), [props.code]);
  const lines = useColours(code, props.language, props.isOpen ?? false);
  if (!lines && !props.isNumbered) return <>{code}</>;
  const plain = lines ?? code.split('\n').map((text): ColouredPiece[] => [{ text, colour: undefined }]);
  return plain.map((pieces, at) => (
    <span key={at} className="code-line">
      {props.isNumbered && <span className="code-number">{at + 1}</span>}
      {pieces.map((piece, place) => (
        <span key={place} style={piece.colour ? { color: piece.colour } : undefined}>
          {piece.text}
        </span>
      ))}
      {'\n'}
    </span>
  ));
}

/** A code block with its language, wrap and copy buttons. `isOpen`: still streaming. */
export const Code = memo(function Code(props: { code: string; language?: string; isOpen?: boolean }) {
  const { say } = useWords();
  const language = props.language ?? '';
  const isWrapped = useCodeWrap();
  return (
    <figure className="code" data-wrapped={isWrapped || undefined}>
      <figcaption className="code-head">
        <span>{language}</span>
        <span className="code-tools">
          <WrapButton />
          <CopyButton value={props.code} label={say('act.copyCode')} />
        </span>
      </figcaption>
      <pre tabIndex={0}>
        <code>
          <CodeLines code={props.code} language={language} isOpen={props.isOpen ?? false} />
        </code>
      </pre>
    </figure>
  );
});

/** The language of a file, by its name. */
export function languageOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : '';
}
