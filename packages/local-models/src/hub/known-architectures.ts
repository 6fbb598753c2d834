import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

let known: Promise<ReadonlySet<string> | undefined> | undefined;

/**
 * Whether our engine knows models of this architecture, by its name in their file; null where it is not installed.
 * Its list alone is loaded: the package itself would load the engine into this process.
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
    return undefined; // left out of this installation, or its list lies elsewhere: nobody can say
  }
}
