import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

/** `fucina formatters …` */
export function formatterCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/formatters.ts');
  const switching = (name: 'enable' | 'disable'): CommandFacts => ({
    name,
    names: ['id'],
    about: say(`help.formatters-${name}`),
    act: async (flags, [id], terminal) => (await load()).switchFormatter(name === 'enable', flags, { id, terminal }),
  });
  return [
    {
      name: 'list',
      isDefault: true,
      about: say('help.formatters-list'),
      act: async (...given) => (await load()).listFormatters(...given),
    },
    switching('enable'),
    switching('disable'),
  ];
}
