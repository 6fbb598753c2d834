import type { Ambient } from '@fucina/shared';
import type { ImageTable } from '../store/image-table.ts';
import type { ChatImages } from './images.ts';

/** Runs once, after startup. */
const FIRST_SWEEP_MS = 60_000;
/** A recent upload may not be part of a message yet. */
const KEEP_MS = 24 * 3_600_000;

/** Deletes unreferenced images once, after a delay; the returned function cancels it. */
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
