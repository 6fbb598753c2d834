import { useMutation } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { closeLivePage, describeAt, openLivePage, resizeLivePage, type Size } from '../../../wire/live-browser.ts';
import { addElementToDraft } from './add-element.ts';
import type { ControlMode } from './use-canvas.ts';
import { useScreen } from './use-screen.ts';
import { useSettledSize } from './use-settled-size.ts';

interface LiveNeeds {
  sessionId: string;
  /** Opened when there is no page; empty: nothing. */
  url: string;
  isOpen: boolean;
  stage: RefObject<HTMLElement | null>;
  canvas: RefObject<HTMLCanvasElement | null>;
}

/** A page of the live browser while it is visible: opens it, sizes it to its container, and syncs its address. */
export function useLivePage({ sessionId, url, isOpen, stage, canvas }: LiveNeeds) {
  const [, setSearch] = useSearchParams();
  const [mode, setMode] = useState<ControlMode>('watch');
  const [isThere, setIsThere] = useState(isOpen);
  const size = useSettledSize(stage);
  const screen = useScreen(sessionId, canvas, isThere);
  const open = useMutation({
    mutationFn: (asked: { url: string } & Size) => openLivePage(sessionId, asked.url, asked),
  });
  const pick = useMutation({
    mutationFn: async (point: { x: number; y: number }) => {
      const element = await describeAt(sessionId, point);
      await addElementToDraft(sessionId, element, canvas.current);
      return element;
    },
    onSettled: () => setMode('watch'),
  });
  const close = useMutation({ mutationFn: () => closeLivePage(sessionId), onSettled: () => setSearch({}) });

  const go = (to: string) => {
    if (!size) return;
    setIsThere(false);
    open.mutate({ url: to, ...size }, { onSuccess: () => setIsThere(true) });
  };
  const hasBegun = useRef(isOpen);
  useEffect(() => {
    if (!size || !url || hasBegun.current) return;
    hasBegun.current = true;
    go(url);
  });
  useEffect(() => {
    if (isThere && size) void resizeLivePage(sessionId, size).catch(() => undefined); // the screen reports it
  }, [isThere, size, sessionId]);
  const shownUrl = screen.shown?.url;
  useEffect(() => {
    if (shownUrl) setSearch({ live: '', url: shownUrl }, { replace: true });
  }, [shownUrl, setSearch]);
  useEffect(() => {
    if (mode !== 'watch') canvas.current?.focus();
  }, [mode, canvas]);
  return { mode, setMode, screen, open, pick, close, go, isThere };
}
