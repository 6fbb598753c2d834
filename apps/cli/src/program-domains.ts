import type { CommandFacts, GroupFacts } from './command-facts.ts';
import { formatterCommands } from './program-formatters.ts';
import { mcpCommands } from './program-mcp.ts';
import { usageCommands } from './program-usage.ts';
import { worktreeCommands } from './program-worktrees.ts';
import type { Say } from './words/index.ts';

/** `fucina notes …` and similar: one command group per kind of data. */
export function domainCommands(say: Say): (GroupFacts & { commands: CommandFacts[] })[] {
  return [
    { name: 'notes', about: say('help.notes'), commands: noteCommands(say) },
    { name: 'tasks', about: say('help.tasks'), commands: taskCommands(say) },
    { name: 'memory', about: say('help.memory'), commands: memoryCommands(say) },
    { name: 'research', about: say('help.research'), commands: researchCommands(say) },
    { name: 'workflows', about: say('help.workflows'), commands: workflowCommands(say) },
    { name: 'automations', about: say('help.automations'), commands: automationCommands(say) },
    { name: 'local', about: say('help.local'), commands: localCommands(say) },
    { name: 'usage', about: say('help.usage'), commands: usageCommands(say) },
    { name: 'sandbox', about: say('help.sandbox'), commands: sandboxCommands(say) },
    { name: 'git', about: say('help.git'), commands: gitCommands(say) },
    { name: 'worktrees', about: say('help.worktrees'), commands: worktreeCommands(say) },
    { name: 'formatters', about: say('help.formatters'), commands: formatterCommands(say) },
    ...extensionGroups(say),
  ];
}

function noteCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/notes.ts');
  return [
    { ...listOf(say), names: ['[text]'], act: async (...given) => (await load()).listNotes(...given) },
    { ...showOf(say), act: async (...given) => (await load()).showNote(...given) },
    {
      name: 'add',
      names: ['title', '[content]'],
      about: say('help.notes-add'),
      act: async (...given) => (await load()).addNote(...given),
    },
    { ...deleteOf(say), act: async (...given) => (await load()).deleteNote(...given) },
  ];
}

function taskCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/tasks.ts');
  const setting = (name: string, status: 'todo' | 'doing' | 'done'): CommandFacts => ({
    name,
    names: ['id'],
    about: say(`help.tasks-${status}`),
    act: async (flags, [id], terminal) => (await load()).setTask(status, flags, { id, terminal }),
  });
  const priority = {
    flags: '--priority <priority>',
    about: say('help.tasks-priority'),
    choices: ['low', 'normal', 'high'],
  };
  return [
    {
      ...listOf(say),
      names: ['[text]'],
      options: [{ flags: '-a, --all', about: say('help.tasks-all') }],
      act: async (...given) => (await load()).listTasks(...given),
    },
    {
      name: 'add',
      names: ['title', '[description]'],
      about: say('help.tasks-add'),
      options: [priority],
      act: async (...given) => (await load()).addTask(...given),
    },
    setting('start', 'doing'),
    setting('done', 'done'),
    setting('reopen', 'todo'),
    { ...deleteOf(say), act: async (...given) => (await load()).deleteTask(...given) },
  ];
}

function memoryCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/memory.ts');
  const kinds = ['preference', 'project_fact', 'procedure', 'policy_note'];
  return [
    { ...listOf(say), names: ['[text]'], act: async (...given) => (await load()).listMemories(...given) },
    {
      name: 'add',
      names: ['title', 'content'],
      about: say('help.memory-add'),
      options: [{ flags: '--kind <kind>', about: say('help.memory-kind'), choices: kinds }],
      act: async (...given) => (await load()).addMemory(...given),
    },
    { ...deleteOf(say), act: async (...given) => (await load()).deleteMemory(...given) },
  ];
}

function researchCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/research.ts');
  const formats = ['md', 'html', 'pdf', 'docx', 'json', 'bib', 'ris', 'fonti'];
  return [
    { ...listOf(say), act: async (...given) => (await load()).listResearch(...given) },
    { ...showOf(say), act: async (...given) => (await load()).showResearch(...given) },
    {
      name: 'export',
      names: ['id'],
      about: say('help.research-export'),
      options: [
        { flags: '--format <format>', about: say('help.research-format'), choices: formats },
        { flags: '-o, --output <file>', about: say('help.research-output') },
      ],
      act: async (...given) => (await load()).exportResearch(...given),
    },
    { ...deleteOf(say), act: async (...given) => (await load()).deleteResearch(...given) },
  ];
}

function workflowCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/workflows.ts');
  return [
    { ...listOf(say), act: async (...given) => (await load()).listRuns(...given) },
    { ...showOf(say), act: async (...given) => (await load()).showRun(...given) },
  ];
}

function automationCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/automations.ts');
  const switching = (name: 'on' | 'off'): CommandFacts => ({
    name,
    names: ['id'],
    about: say(`help.automations-${name}`),
    act: async (flags, [id], terminal) => (await load()).setAutomationActive(name === 'on', flags, { id, terminal }),
  });
  return [
    { ...listOf(say), act: async (...given) => (await load()).listAutomations(...given) },
    { ...showOf(say), act: async (...given) => (await load()).showAutomation(...given) },
    {
      name: 'inbox',
      about: say('help.automations-inbox'),
      act: async (...given) => (await load()).automationInbox(...given),
    },
    switching('on'),
    switching('off'),
    {
      name: 'watch',
      names: ['id'],
      about: say('help.automations-watch'),
      options: [{ flags: '--files <pattern>', about: say('help.automations-watch-files'), isRepeated: true }],
      act: async (...given) => (await load()).automationWatch(...given),
    },
    {
      name: 'webhook',
      names: ['id'],
      about: say('help.automations-webhook'),
      options: [{ flags: '--remove', about: say('help.automations-webhook-remove') }],
      act: async (...given) => (await load()).automationWebhook(...given),
    },
    { ...deleteOf(say), act: async (...given) => (await load()).deleteAutomation(...given) },
  ];
}

const contextOption = (say: Say) => ({
  flags: '--context <tokens>',
  about: say('help.local-context'),
  most: 10_000_000,
});

function localCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/local.ts');
  const pull = () => import('./commands/domains/local-pull.ts');
  return [
    { ...listOf(say), act: async (...given) => (await load()).listLocal(...given) },
    {
      name: 'search',
      names: ['[words]'],
      about: say('help.local-search'),
      act: async (...given) => (await pull()).searchHub(...given),
    },
    {
      name: 'pull',
      names: ['repository', '[file]'],
      about: say('help.local-pull'),
      options: [{ flags: '--suspect', about: say('help.local-suspect') }],
      act: async (...given) => (await pull()).pullModel(...given),
    },
    {
      name: 'import',
      names: ['file', '[id]'],
      about: say('help.local-import'),
      options: [{ flags: '--name <name>', about: say('help.local-name') }],
      act: async (...given) => (await load()).importLocal(...given),
    },
    {
      name: 'fit',
      names: ['id'],
      about: say('help.local-fit'),
      options: [
        { flags: '--profile <profile>', about: say('help.local-profile'), choices: ['agent', 'chat'] },
        contextOption(say),
      ],
      act: async (...given) => (await load()).fitLocal(...given),
    },
    { ...deleteOf(say), act: async (...given) => (await load()).deleteLocal(...given) },
    ...engineCommands(say),
  ];
}

function engineCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/local.ts');
  const runtime = { flags: '--runtime <engine>', about: say('help.local-runtime'), choices: ['ollama', 'lmstudio'] };
  return [
    {
      name: 'install',
      about: say('help.local-install'),
      act: async (...given) => (await import('./commands/domains/local-install.ts')).installEngine(...given),
    },
    {
      name: 'runtimes',
      about: say('help.local-runtimes'),
      act: async (...given) => (await load()).listRuntimes(...given),
    },
    {
      name: 'load',
      names: ['model'],
      about: say('help.local-load'),
      options: [runtime, contextOption(say)],
      act: async (...given) => (await load()).loadLocal(...given),
    },
    {
      name: 'unload',
      names: ['model'],
      about: say('help.local-unload'),
      options: [runtime],
      act: async (...given) => (await load()).unloadLocal(...given),
    },
  ];
}

function gitCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/git.ts');
  const model = { flags: '-m, --model <model>', about: say('help.git-model') };
  const yes = { flags: '-y, --yes', about: say('help.git-yes') };
  return [
    {
      name: 'message',
      names: ['[draft]'],
      about: say('help.git-message'),
      options: [model],
      act: async (...given) => (await load()).gitMessage(...given),
    },
    {
      name: 'commit',
      names: ['[draft]'],
      about: say('help.git-commit'),
      options: [
        model,
        yes,
        { flags: '--skip-hooks', about: say('help.git-skip-hooks') },
        { flags: '--hooks-outside', about: say('help.git-hooks-outside') },
      ],
      act: async (...given) => (await load()).gitCommit(...given),
    },
    {
      name: 'undo',
      about: say('help.git-undo'),
      options: [yes],
      act: async (...given) => (await load()).gitUndo(...given),
    },
    {
      name: 'programs',
      about: say('help.git-programs'),
      act: async (...given) => (await import('./commands/domains/git-programs.ts')).listGitPrograms(...given),
    },
    {
      name: 'trust',
      names: ['name'],
      about: say('help.git-trust'),
      options: [
        yes,
        { flags: '--outside', about: say('help.git-outside') },
        { flags: '--without-limit', about: say('help.git-without-limit') },
        { flags: '--never', about: say('help.git-never') },
      ],
      act: async (...given) => (await import('./commands/domains/git-programs.ts')).trustGitProgram(...given),
    },
  ];
}

function sandboxCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/sandbox.ts');
  const everywhere = { flags: '--everywhere', about: say('help.sandbox-everywhere') };
  return [
    {
      name: 'status',
      about: say('help.sandbox-status'),
      isDefault: true,
      act: async (...given) => (await load()).sandboxStatus(...given),
    },
    {
      name: 'rules',
      about: say('help.sandbox-rules'),
      options: [everywhere],
      act: async (...given) => (await load()).listSandboxRules(...given),
    },
    {
      name: 'allow',
      names: ['rule'],
      about: say('help.sandbox-allow'),
      options: [everywhere],
      act: async (...given) => (await load()).allowInSandbox(...given),
    },
    {
      name: 'remove',
      names: ['id'],
      about: say('help.sandbox-remove'),
      act: async (...given) => (await load()).removeSandboxRule(...given),
    },
    {
      name: 'network',
      names: ['mode'],
      about: say('help.sandbox-network'),
      options: [everywhere],
      act: async (...given) => (await load()).setSandboxNetwork(...given),
    },
    ...networkToolCommands(say),
    {
      name: 'test',
      about: say('help.sandbox-test'),
      act: async (...given) => (await load()).testSandbox(...given),
    },
  ];
}

function networkToolCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/sandbox.ts');
  const everywhere = { flags: '--everywhere', about: say('help.sandbox-everywhere') };
  return [
    {
      name: 'tools',
      about: say('help.sandbox-tools'),
      options: [everywhere],
      act: async (...given) => (await load()).listNetworkTools(...given),
    },
    {
      name: 'deny-tool',
      names: ['tool'],
      about: say('help.sandbox-deny-tool'),
      options: [everywhere],
      act: async (...given) => (await load()).denyNetworkTool(...given),
    },
    {
      name: 'allow-tool',
      names: ['tool'],
      about: say('help.sandbox-allow-tool'),
      options: [everywhere],
      act: async (...given) => (await load()).allowNetworkTool(...given),
    },
  ];
}

function extensionGroups(say: Say): (GroupFacts & { commands: CommandFacts[] })[] {
  const load = () => import('./commands/domains/extensions.ts');
  const listing = (kind: 'hooks' | 'plugins' | 'skills' | 'forge'): CommandFacts => ({
    ...listOf(say),
    act: async (flags, _names, terminal) => (await load()).listExtensions(kind, flags, terminal),
  });
  const trusting = (kind: 'hooks' | 'plugins'): CommandFacts => ({
    name: 'trust',
    names: ['id'],
    about: say('help.extensions-trust'),
    act: async (flags, [id], terminal) => (await load()).trustExtension(kind, flags, { id, terminal }),
  });
  const switching = (name: 'enable' | 'disable'): CommandFacts => ({
    name,
    names: ['id'],
    about: say(`help.forge-${name}`),
    act: async (flags, [id], terminal) => (await load()).switchForged(name === 'enable', flags, { id, terminal }),
  });
  return [
    { name: 'mcp', about: say('help.mcp'), commands: mcpCommands(say) },
    { name: 'hooks', about: say('help.hooks'), commands: [listing('hooks'), trusting('hooks')] },
    { name: 'plugins', about: say('help.plugins'), commands: [listing('plugins'), trusting('plugins')] },
    { name: 'skills', about: say('help.skills'), commands: [listing('skills')] },
    {
      name: 'forge',
      about: say('help.forge'),
      commands: [listing('forge'), switching('enable'), switching('disable')],
    },
  ];
}

const listOf = (say: Say) => ({ name: 'list', isDefault: true, about: say('help.list') });
const showOf = (say: Say) => ({ name: 'show', names: ['id'], about: say('help.show') });
const deleteOf = (say: Say) => ({ name: 'delete', names: ['id'], about: say('help.delete') });
