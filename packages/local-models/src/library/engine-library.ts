import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Library from 'node-llama-cpp';

const NAME = 'node-llama-cpp';

/** Below the data folder: the library, when it was installed after Fucina. */
export const libraryFolder = (dataDir: string): string => join(dataDir, 'engine-library');

/** The URL of the library's main module; undefined when there is none. It may be installed at any time. */
export type FindLibrary = () => string | undefined;

/**
 * The URL of the library that runs models: installed with Fucina, or later in the data folder. Undefined when there is
 * none.
 */
export function engineLibrary(dataDir: string): string | undefined {
  const { resolve } = createRequire(import.meta.url);
  // By its folder, so that no folder above the data folder is searched.
  const later = join(libraryFolder(dataDir), 'node_modules', NAME);
  for (const place of [NAME, later]) {
    try {
      return pathToFileURL(resolve(place)).href;
    } catch {
      // Not installed there, or not available for this system.
    }
  }
  return undefined;
}

/** The library at that URL. Rejects when it does not load. */
export async function loadLibrary(url: string): Promise<typeof Library> {
  return (await import(url)) as typeof Library;
}
