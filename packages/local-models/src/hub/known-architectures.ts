import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

let known: Promise<ReadonlySet<string> | undefined> | undefined;

/**
 * Whether our engine supports models of this architecture, by its name in their file; null when the engine is not
 * installed. Loads only the engine package's list, not the engine.
 */
export async function isSupportedArchitecture(architecture: string): Promise<boolean | null> {
  known ??= readList();
  return (await known)?.has(architecture) ?? null;
}

async function readList(): Promise<ReadonlySet<string> | undefined> {
  try {
    const main = createRequire(import.meta.url).resolve('node-llama-cpp');
    const list = pathToFileURL(join(dirname(main), 'gguf/types/GgufMetadataTypes.js')).href;
    const { GgufArchitectureType } = (await import(list)) as { GgufArchitectureType: Record<string, string> };
    return new Set(Object.values(GgufArchitectureType));
  } catch {
    return undefined; // not installed, or its list is elsewhere: unknown
  }
}
