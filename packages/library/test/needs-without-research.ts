import type { LibraryNeeds } from '../src/library.ts';

const never = (): never => {
  throw new Error('nothing here researches or writes documents');
};

/** The needs of a library without research. */
export const needsWithoutResearch: Pick<LibraryNeeds, 'research' | 'writeDocument' | 'isControlFile'> = {
  isControlFile: (path) => path === 'mcp.json',
  writeDocument: never,
  research: {
    client: { stream: never },
    search: never,
    readPage: never,
    startSession: never,
    sessionState: async () => undefined,
    goOn: never,
    stop: never,
  },
};
