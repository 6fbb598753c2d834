import { MCP_CALL_ANSWERS } from '@fucina/shared';
import type { CommandFacts, OptionFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

/** `fucina mcp …`. */
export function mcpCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/mcp.ts');
  const everywhere = { flags: '--everywhere', about: say('help.mcp-everywhere') };
  const calls = { flags: '--calls <answer>', about: say('help.mcp-calls'), choices: MCP_CALL_ANSWERS };
  const repeated = (flags: string, about: string) => ({ flags, about, isRepeated: true });
  const switching = (name: 'on' | 'off'): CommandFacts => ({
    name,
    names: ['name'],
    about: say(`help.mcp-${name}`),
    options: [everywhere],
    act: async (flags, [id = ''], terminal) => (await load()).switchMcp(name === 'on', flags, { id, terminal }),
  });
  return [
    {
      name: 'list',
      isDefault: true,
      about: say('help.list'),
      act: async (...given) => (await load()).listMcp(...given),
    },
    {
      name: 'add',
      names: ['name', '[command...]'],
      about: say('help.mcp-add'),
      options: [
        { flags: '--url <address>', about: say('help.mcp-url') },
        repeated('--env <variable>', say('help.mcp-env')),
        repeated('--header <header>', say('help.mcp-header')),
        repeated('--secret <name>', say('help.mcp-secret')),
        calls,
        everywhere,
      ],
      act: async (...given) => (await load()).addMcp(...given),
    },
    {
      name: 'remove',
      names: ['name'],
      about: say('help.mcp-remove'),
      options: [everywhere],
      act: async (...given) => (await load()).removeMcp(...given),
    },
    {
      name: 'test',
      names: ['name'],
      about: say('help.mcp-test'),
      options: [everywhere],
      act: async (...given) => (await load()).testMcp(...given),
    },
    trustCommand(say, [calls, everywhere]),
    ...signInCommands(say, everywhere),
    serveCommand(say),
    switching('on'),
    switching('off'),
    {
      name: 'import',
      names: ['[names...]'],
      about: say('help.mcp-import'),
      options: [everywhere],
      act: async (...given) => (await load()).importMcp(...given),
    },
  ];
}

function trustCommand(say: Say, options: OptionFacts[]): CommandFacts {
  return {
    name: 'trust',
    names: ['name'],
    about: say('help.extensions-trust'),
    options,
    act: async (...given) => (await import('./commands/domains/mcp.ts')).trustMcp(...given),
  };
}

function serveCommand(say: Say): CommandFacts {
  return {
    name: 'serve',
    about: say('help.mcp-serve'),
    act: async (...given) => (await import('./commands/domains/mcp-serve.ts')).serveMcp(...given),
  };
}

function signInCommands(say: Say, everywhere: OptionFacts): CommandFacts[] {
  const load = () => import('./commands/domains/mcp-login.ts');
  return [
    {
      name: 'login',
      names: ['name'],
      about: say('help.mcp-login'),
      options: [everywhere],
      act: async (...given) => (await load()).loginMcp(...given),
    },
    {
      name: 'logout',
      names: ['name'],
      about: say('help.mcp-logout'),
      options: [everywhere],
      act: async (...given) => (await load()).logoutMcp(...given),
    },
  ];
}
