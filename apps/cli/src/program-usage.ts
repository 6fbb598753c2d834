import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

/** `fucina usage …` */
export function usageCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/usage.ts');
  const limit = (name: 'day-usd' | 'day-tokens' | 'session-usd' | 'session-tokens') => ({
    flags: `--${name} <amount>`,
    about: say(`help.usage-${name}`),
  });
  return [
    {
      name: 'show',
      isDefault: true,
      about: say('help.usage-show'),
      options: [
        { flags: '--by <what>', about: say('help.usage-by'), choices: ['day', 'model', 'project'] },
        { flags: '--days <count>', about: say('help.usage-days'), most: 30 },
        { flags: '--csv', about: say('help.usage-csv') },
      ],
      act: async (...given) => (await load()).showUsage(...given),
    },
    {
      name: 'budget',
      about: say('help.usage-budget'),
      options: [limit('day-usd'), limit('day-tokens'), limit('session-usd'), limit('session-tokens')],
      act: async (...given) => (await load()).usageBudget(...given),
    },
    {
      name: 'allow',
      names: ['[session]'],
      about: say('help.usage-allow'),
      act: async (...given) => (await load()).allowUsage(...given),
    },
    {
      name: 'price',
      names: ['model', '[prices...]'],
      about: say('help.usage-price'),
      act: async (...given) => (await load()).setUsagePrice(...given),
    },
  ];
}
