import { itFiles } from './it-files.ts';
import { itGit } from './it-git.ts';
import { itKept } from './it-kept.ts';
import { itLibrary } from './it-library.ts';
import { itProviders } from './it-providers.ts';
import { itSettings } from './it-settings.ts';
import type { enMore } from './more-en.ts';

export const itMore: Record<keyof typeof enMore, string> = {
  ...itFiles,
  ...itGit,
  ...itKept,
  ...itLibrary,
  ...itProviders,
  ...itSettings,
};
