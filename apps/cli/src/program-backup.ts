import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

export function backupCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/backup.ts');
  return [
    {
      name: 'create',
      names: ['[file]'],
      about: say('help.backup-create'),
      options: [{ flags: '--models', about: say('help.backup-models') }],
      act: async (...given) => (await load()).backUp(...given),
    },
    {
      name: 'verify',
      names: ['file'],
      about: say('help.backup-verify'),
      act: async (...given) => (await load()).verify(...given),
    },
    {
      name: 'restore',
      names: ['file'],
      about: say('help.backup-restore'),
      act: async (...given) => (await load()).restore(...given),
    },
    {
      name: 'schedule',
      names: ['[when]'],
      about: say('help.backup-schedule'),
      options: [
        { flags: '--to <folder>', about: say('help.backup-to') },
        { flags: '--keep <count>', about: say('help.backup-keep'), most: 999 },
      ],
      act: async (...given) => (await import('./commands/backup-schedule.ts')).schedule(...given),
    },
  ];
}
