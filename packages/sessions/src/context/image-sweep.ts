import type { Ambient } from '@fucina/shared';
import type { ImageTable } from '../store/image-table.ts';
import type { ChatImages } from './images.ts';

/** Nobody waits for it: once, when the start is over. */
const FIRST_SWEEP_MS = 60_000;
/** An upload that no message shows yet may still be on its way into one. */
const KEEP_MS = 24 * 3_600_000;

/** Deletes, once and later, the pictures no conversation shows; the answer calls it off. */
export function scheduleImageSweep(ambient: Ambient, images: Pick<ChatImages, 'sweep'>, table: ImageTable): () => void {
  return ambient.timer(FIRST_SWEEP_MS, () => {
    const used = table.referenced();
    images
      .sweep((id) => used.has(id), ambient.now() - KEEP_MS)
      .then(
        (swept) => swept && ambient.log.info('images.swept', { swept }),
        (error: unknown) => ambient.log.warn('images.sweep-failed', { error }),
      );
  });
}
