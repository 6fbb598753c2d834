import { checkServer } from './server-state.ts';

/** The code of a part could not be loaded. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
}

/** Links of style sheets that could not be loaded: Vite loads each only once, even if it failed. */
const failed = new Set<HTMLLinkElement>();
let isWatching = false;
let reloading: Promise<unknown> = Promise.resolve();

function watchStyleSheets(): void {
  if (isWatching) return;
  isWatching = true;
  // The event of a link does not bubble. The `sheet` of a failed link is not null in every browser.
  const listen = ({ target }: Event): void => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failed.add(target);
  };
  document.addEventListener('error', listen, { capture: true });
}

/** Requests the failed ones again. Those that fail again are in `failed`. */
function reloadStyleSheets(): Promise<unknown> {
  const links = [...failed];
  failed.clear();
  reloading = Promise.all([reloading, ...links.map(replaceLink)]);
  return reloading;
}

function replaceLink(link: HTMLLinkElement): Promise<unknown> {
  const again = link.cloneNode() as HTMLLinkElement;
  const done = new Promise((resolve) => {
    again.onload = again.onerror = resolve;
  });
  link.replaceWith(again);
  return done;
}

/**
 * Wraps every dynamic import of the window. A failed one is retried once if the server responds, and style sheets that
 * failed before are requested again. Throws ChunkError.
 */
export async function loadChunk<Part>(load: () => Promise<Part>): Promise<Part> {
  watchStyleSheets();
  try {
    if (failed.size > 0) await reloadStyleSheets();
    return await load();
  } catch (cause) {
    const { isAway } = await checkServer();
    if (isAway) throw new ChunkError('the server does not answer', { cause });
    await reloadStyleSheets();
    if (failed.size > 0) throw new ChunkError('a style sheet cannot be loaded', { cause });
    return await load().catch((again: unknown) => {
      throw new ChunkError('the code of this part cannot be loaded', { cause: again });
    });
  }
}
