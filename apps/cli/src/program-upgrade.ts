import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

export function upgradeCommand(say: Say): CommandFacts {
  return {
    name: 'upgrade',
    alias: 'update',
    about: say('help.upgrade'),
    options: [
      { flags: '--from <place>', about: say('help.upgrade-from') },
      { flags: '--check', about: say('help.upgrade-check') },
      { flags: '-y, --yes', about: say('help.upgrade-yes') },
    ],
    act: async (...given) => (await import('./commands/upgrade/upgrade.ts')).upgrade(...given),
  };
}
