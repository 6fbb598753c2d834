import { enFiles } from './en-files.ts';
import { enGit } from './en-git.ts';
import { enKept } from './en-kept.ts';
import { enLibrary } from './en-library.ts';
import { enProviders } from './en-providers.ts';
import { enSettings } from './en-settings.ts';

/** The words of the parts that are loaded when asked for, in English. The other languages have the same keys. */
export const enMore = { ...enFiles, ...enGit, ...enKept, ...enLibrary, ...enProviders, ...enSettings } as const;
