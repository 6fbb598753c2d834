import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { isLocalAddress } from './page-address.ts';
import { overlayWord, type PickedElement } from './picked-element.ts';

interface PointingNeeds {
  frame: RefObject<HTMLIFrameElement | null>;
  take(element: PickedElement): void;
  go(url: string): void;
  /** The page's policy kept it from this host. */
  blocked(host: string): void;
}

/** The page is a frame in the one that holds it. */
const pageIn = (frame: HTMLIFrameElement | null) => frame?.contentWindow?.[0];

/** Asks the framed page for an element. The page has an opaque origin: it is identified by its window object. */
export function useElementPicker({ frame, take, go, blocked }: PointingNeeds): {
  isPointing: boolean;
  point(isOn: boolean): void;
} {
  const [isPointing, setIsPointing] = useState(false);
  const acts = useRef({ take, go, blocked });
  acts.current = { take, go, blocked };
  const asked = useRef(false);
  const point = useCallback(
    (isOn: boolean) => {
      asked.current = isOn;
      setIsPointing(isOn);
      pageIn(frame.current)?.postMessage({ type: 'svc-indica', attivo: isOn }, '*');
      if (isOn) frame.current?.focus();
    },
    [frame],
  );
  useEffect(() => {
    const hear = ({ source, origin, data }: MessageEvent) => {
      if (source === null || source !== pageIn(frame.current) || origin !== 'null') return;
      const word = overlayWord(data);
      if (word?.kind === 'go' && isLocalAddress(word.url)) acts.current.go(word.url);
      if (word?.kind === 'blocked') acts.current.blocked(word.host);
      // Accepted only while requested.
      if (!asked.current || (word?.kind !== 'element' && word?.kind !== 'ended')) return;
      asked.current = false;
      setIsPointing(false);
      if (word.kind === 'element') acts.current.take(word.element);
    };
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, [frame]);
  return { isPointing, point };
}
