import { type RefObject, useEffect, useRef, useState } from 'react';
import { type PageImage, readScreenFrame, type Size, screenSource } from '../../../wire/live-browser.ts';

export interface Screen {
  /** Undefined until the first image. */
  shown: (Size & { url: string }) | undefined;
  /** Why the stream ended: the code and its sentence; `code` is absent when the connection broke. */
  ended: { code?: string; sentence?: string } | undefined;
}

/** Draws the newest image on the canvas; images that arrive while one is drawn replace each other. */
export function useScreen(sessionId: string, canvas: RefObject<HTMLCanvasElement | null>, isOn: boolean): Screen {
  const [screen, setScreen] = useState<Screen>({ shown: undefined, ended: undefined });
  const known = useRef('');
  useEffect(() => {
    if (!isOn) return undefined;
    const source = screenSource(sessionId);
    let waiting: PageImage | undefined;
    let isDrawing = false;
    let isGone = false;
    setScreen({ shown: undefined, ended: undefined });
    known.current = '';
    const tell = ({ url, metadata: { deviceWidth: width, deviceHeight: height } }: PageImage) => {
      const key = `${width} ${height} ${url}`;
      if (known.current === key) return;
      known.current = key;
      setScreen({ shown: { width, height, url }, ended: undefined });
    };
    const drawAll = async () => {
      isDrawing = true;
      while (waiting && !isGone) {
        const frame = waiting;
        waiting = undefined;
        await draw(canvas.current, frame);
        if (!isGone) tell(frame);
      }
      isDrawing = false;
    };
    source.onmessage = async ({ data }: MessageEvent<string>) => {
      const event = await readScreenFrame(data);
      if (isGone) return;
      if ('code' in event) {
        // An image that is still being drawn shows nothing any more.
        isGone = true;
        source.close();
        setScreen({ shown: undefined, ended: { code: event.code, ...(event.error && { sentence: event.error }) } });
        return;
      }
      waiting = event;
      if (!isDrawing) void drawAll();
    };
    source.onerror = () => {
      // A lost connection is retried automatically; a refusal is final.
      if (source.readyState === EventSource.CLOSED) setScreen({ shown: undefined, ended: {} });
    };
    return () => {
      isGone = true;
      source.close();
    };
  }, [sessionId, canvas, isOn]);
  return screen;
}

async function draw(canvas: HTMLCanvasElement | null, { data }: PageImage): Promise<void> {
  const bytes = Uint8Array.from(atob(data), (sign) => sign.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
  if (canvas) {
    if (canvas.width !== picture.width) canvas.width = picture.width;
    if (canvas.height !== picture.height) canvas.height = picture.height;
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
  }
  picture.close();
}
