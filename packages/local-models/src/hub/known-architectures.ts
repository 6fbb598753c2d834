let known: Promise<ReadonlySet<string> | undefined> | undefined;

/**
 * Whether our engine supports models of this architecture, by its name in their file; null when the engine is not
 * installed: `library` is its URL. Loads only the engine package's list, not the engine.
 */
export async function isSupportedArchitecture(
  architecture: string,
  library: string | undefined,
): Promise<boolean | null> {
  if (library === undefined) return null;
  known ??= readList(library);
  return (await known)?.has(architecture) ?? null;
}

async function readList(library: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const list = new URL('gguf/types/GgufMetadataTypes.js', library).href;
    const { GgufArchitectureType } = (await import(list)) as { GgufArchitectureType: Record<string, string> };
    return new Set(Object.values(GgufArchitectureType));
  } catch {
    return undefined; // its list is elsewhere: unknown
  }
}
