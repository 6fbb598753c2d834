import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

export function serviceCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/service/service.ts');
  return [
    { name: 'install', about: say('help.service-install'), act: async (...given) => (await load()).install(...given) },
    {
      name: 'uninstall',
      about: say('help.service-uninstall'),
      act: async (...given) => (await load()).uninstall(...given),
    },
    { name: 'status', about: say('help.service-status'), act: async (...given) => (await load()).status(...given) },
    {
      name: 'log',
      about: say('help.service-log'),
      options: [{ flags: '-f, --follow', about: say('help.service-follow') }],
      act: async (...given) => (await load()).log(...given),
    },
    {
      name: 'start',
      about: say('help.service-start'),
      act: async (flags, _names, terminal) => (await load()).control('start', flags, terminal),
    },
    {
      name: 'stop',
      about: say('help.service-stop'),
      act: async (flags, _names, terminal) => (await load()).control('stop', flags, terminal),
    },
  ];
}
