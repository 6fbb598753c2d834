import { useMemo } from 'react';
import { imageTypeOf } from '../file-kind.ts';
import { ImageView } from './image-view.tsx';

/** A drawing's own scripts do not run in an image, and nothing of the net is loaded by one. */
export function VectorView({ path, bytes }: { path: string; bytes: Uint8Array<ArrayBuffer> }) {
  const url = useMemo(() => {
    const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    return `data:${imageTypeOf(path)};base64,${btoa(text)}`;
  }, [path, bytes]);
  return <ImageView key={url} path={path} url={url} />;
}
