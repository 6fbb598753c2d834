const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])\s*(\.|$)/i;

/** Whether a name means the same file on Windows: no device (`aux.c`), no alternate stream (`:`), no final dot or space. */
export function isPortableName(name: string): boolean {
  return !name.includes(':') && !RESERVED.test(name) && !/[. ]$/.test(name);
}
