import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { CommandFacts } from './command-facts.ts';
import type { Io } from './io.ts';
import type { Say } from './words/index.ts';

export function appCommand(say: Say): CommandFacts {
  return {
    name: 'app',
    names: ['[target]'],
    about: say('help.app'),
    options: [
      { flags: '--foreground', about: say('help.app-foreground') },
      { flags: '--start-at-login <choice>', about: say('help.app-login'), choices: ['on', 'off'] },
    ],
    act: async (...given) => (await import('./commands/app.ts')).openApp(...given),
  };
}

/** Whether `fucina <word>` opens the application: a link, or a folder written as a path (`.`, `../other`, `/a/b`). */
export async function isOpenable(word: string, { cwd }: Io): Promise<boolean> {
  if (/^fucina:/i.test(word)) return true;
  if (!/^\.{1,2}$|[\\/]/.test(word)) return false;
  return stat(resolve(cwd, word)).then(
    (found) => found.isDirectory(),
    () => false, // a message with a slash in it
  );
}
