import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

export function permissionCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/permissions.ts');
  return [
    {
      name: 'list',
      about: say('help.rules-list'),
      isDefault: true,
      act: async (...given) => (await load()).listRules(...given),
    },
    {
      name: 'dry-run',
      names: ['command'],
      about: say('help.rules-dry-run'),
      act: async (...given) => (await load()).dryRun(...given),
    },
  ];
}
