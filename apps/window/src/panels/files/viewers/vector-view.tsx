import { useMemo } from 'react';
import { imageTypeOf } from '../file-kind.ts';
import { ImageView } from './image-view.tsx';

/** An SVG as an image runs no scripts and loads no external resources. */
export function VectorView({ path, bytes }: { path: string; bytes: Uint8Array<ArrayBuffer> }) {
  const url = useMemo(() => {
    const text = Array.from(bytes, (bytes) => String.fromCharCode(bytes)).join('');
    return `data:${imageTypeOf(path)};base64,${btoa(text)}`;
  }, [path, bytes]);
  return <ImageView key={url} path={path} url={url} />;
}
