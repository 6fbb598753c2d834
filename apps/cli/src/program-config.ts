import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

/** `fucina config …` */
export function configCommands(say: Say): CommandFacts[] {
  const read = () => import('./commands/config.ts');
  const edit = () => import('./commands/config-edit.ts');
  return [
    {
      name: 'list',
      alias: 'show',
      about: say('help.config-list'),
      isDefault: true,
      isScoped: true,
      act: async (...given) => (await read()).configList(...given),
    },
    {
      name: 'get',
      names: ['key'],
      about: say('help.config-get'),
      isScoped: true,
      act: async (...given) => (await read()).configGet(...given),
    },
    {
      name: 'set',
      names: ['key', 'value'],
      about: say('help.config-set'),
      isScoped: true,
      act: async (...given) => (await edit()).configSet(...given),
    },
    {
      name: 'unset',
      names: ['key'],
      about: say('help.config-unset'),
      isScoped: true,
      act: async (...given) => (await edit()).configUnset(...given),
    },
    {
      name: 'path',
      about: say('help.config-path'),
      isScoped: true,
      act: async (...given) => (await read()).configPath(...given),
    },
    {
      name: 'validate',
      about: say('help.config-validate'),
      isScoped: true,
      act: async (...given) => (await read()).configValidate(...given),
    },
    {
      name: 'migrate',
      about: say('help.config-migrate'),
      isScoped: true,
      act: async (...given) => (await edit()).configMigrate(...given),
    },
    ...trustCommands(say),
  ];
}

function trustCommands(say: Say): CommandFacts[] {
  const edit = () => import('./commands/config-edit.ts');
  return [
    {
      name: 'trust',
      names: ['[folder]'],
      about: say('help.config-trust'),
      act: async (...given) => (await edit()).configTrust(...given),
    },
    {
      name: 'untrust',
      names: ['[folder]'],
      about: say('help.config-untrust'),
      act: async (...given) => (await edit()).configUntrust(...given),
    },
  ];
}
