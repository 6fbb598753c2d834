/** A path as it stands in a message: plain where it is one word, else held together. */
export const mentionOf = (path: string): string => (/\s/.test(path) ? `\`${path}\`` : path);
