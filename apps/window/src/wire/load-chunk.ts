import { checkServer } from './server-state.ts';

/** The code of a part could not be loaded. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
}

/** Vite loads a style sheet only once, even if it failed: failed ones are requested again. */
async function reloadStyleSheets(): Promise<void> {
  const failed = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(
    ({ sheet }) => !sheet,
  );
  await Promise.all(
    failed.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      const done = new Promise((resolve) => {
        again.onload = again.onerror = resolve;
      });
      link.replaceWith(again);
      return done;
    }),
  );
}

/**
 * Wraps every dynamic import of the window. A failed one is retried once if the server responds. Throws ChunkError.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (cause) {
    const { isAway } = await checkServer();
    if (isAway) throw new ChunkError('the server does not answer', { cause });
    await reloadStyleSheets();
    return await load().catch((again: unknown) => {
      throw new ChunkError('the code of this part cannot be loaded', { cause: again });
    });
  }
}
