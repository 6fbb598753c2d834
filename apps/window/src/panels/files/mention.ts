/** A path in a message: quoted if it contains spaces. */
export const mentionOf = (path: string): string => (/\s/.test(path) ? `\`${path}\`` : path);
