import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

export function providerCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/providers.ts');
  const one = { names: ['id'] };
  return [
    {
      ...one,
      name: 'set-key',
      about: say('help.provider-set-key'),
      act: async (...given) => (await load()).setKey(...given),
    },
    {
      ...one,
      name: 'remove-key',
      about: say('help.provider-remove-key'),
      act: async (...given) => (await load()).removeKey(...given),
    },
    {
      name: 'set-address',
      names: ['id', 'url'],
      about: say('help.provider-set-address'),
      act: async (...given) => (await load()).setAddress(...given),
    },
    {
      ...one,
      name: 'headers',
      about: say('help.provider-headers'),
      act: async (...given) => (await load()).listHeaders(...given),
    },
    {
      name: 'set-header',
      names: ['id', 'name'],
      about: say('help.provider-set-header'),
      act: async (...given) => (await load()).setHeader(...given),
    },
    {
      name: 'remove-header',
      names: ['id', 'name'],
      about: say('help.provider-remove-header'),
      act: async (...given) => (await load()).removeHeader(...given),
    },
    {
      ...one,
      name: 'test',
      about: say('help.provider-test'),
      act: async (...given) => (await load()).testProvider(...given),
    },
  ];
}
