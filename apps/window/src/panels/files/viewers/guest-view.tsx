import { useEffect, useRef, useState } from 'react';
import type { GuestDocument, GuestProblem } from '../../../guest/guest.ts';
import { Empty, Loading } from '../../../parts/states.tsx';
import { useAppearance } from '../../../styles/appearance.ts';
import { api } from '../../../wire/client.ts';
import { useWords } from '../../../words/words.ts';

const FORMATS = { document: 'documento', presentation: 'presentazione' } as const;

interface GuestProps {
  path: string;
  kind: keyof typeof FORMATS;
  bytes: Uint8Array<ArrayBuffer>;
}

type GuestMessage =
  | { type: 'svc-lettore-ospite-pronto'; fase: 'attesa' | 'mostrato' }
  | { type: 'svc-lettore-ospite-errore'; motivo: GuestProblem };

/** A Word document or a presentation, rendered in a sandboxed page. */
export function GuestView({ path, kind, bytes }: GuestProps) {
  const { say, language } = useWords();
  const { mode } = useAppearance();
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<GuestProblem | 'waiting' | 'shown'>('waiting');
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<GuestMessage>) => {
      if (source !== frame.current?.contentWindow) return;
      if (data.type === 'svc-lettore-ospite-errore') return setState(data.motivo);
      if (data.type !== 'svc-lettore-ospite-pronto') return;
      if (data.fase === 'mostrato') return setState('shown');
      const message: GuestDocument = {
        type: 'svc-lettore-documento',
        formato: FORMATS[kind],
        bytes: bytes.slice().buffer,
        lingua: language,
        aspetto: mode,
      };
      // An opaque origin cannot be named; the frame was loaded from this server and cannot navigate.
      frame.current?.contentWindow?.postMessage(message, '*', [message.bytes]);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [kind, bytes, language, mode]);
  const isFailed = state !== 'waiting' && state !== 'shown';
  if (isFailed) return <Empty title={say('files.guest.failed')}>{say(`files.guest.${state}`)}</Empty>;
  return (
    <>
      {state === 'waiting' && <Loading lines={12} />}
      <iframe
        ref={frame}
        key={`${language} ${mode}`}
        className="file-frame"
        data-waiting={state === 'waiting' || undefined}
        title={path}
        sandbox="allow-scripts"
        src={api.address('get', '/reader/guest')}
      />
    </>
  );
}
