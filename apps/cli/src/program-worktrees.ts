import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

/** `fucina worktrees …` */
export function worktreeCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/worktrees.ts');
  const one = { names: ['name'] };
  const merging = mergeOptions(say);
  return [
    {
      name: 'list',
      isDefault: true,
      about: say('help.worktrees-list'),
      options: [{ flags: '-a, --all', about: say('help.worktrees-all') }],
      act: async (...given) => (await load()).listWorktrees(...given),
    },
    {
      ...one,
      name: 'merge',
      about: say('help.worktrees-merge'),
      options: merging,
      act: async (...given) => (await load()).mergeWorktree(...given),
    },
    {
      ...one,
      name: 'setup',
      about: say('help.worktrees-setup'),
      options: [{ flags: '--trust', about: say('help.worktrees-trust') }],
      act: async (...given) => (await load()).setUp(...given),
    },
    {
      ...one,
      name: 'remove',
      about: say('help.worktrees-remove'),
      options: [
        { flags: '--force', about: say('help.worktrees-force') },
        { flags: '--delete-branch', about: say('help.worktrees-delete-branch') },
      ],
      act: async (...given) => (await load()).removeWorktree(...given),
    },
  ];
}

/** `fucina sessions board`, `fucina sessions compare`, `fucina sessions merge`. */
export function comparisonCommands(say: Say): CommandFacts[] {
  const load = () => import('./commands/domains/compare.ts');
  return [
    {
      name: 'board',
      about: say('help.sessions-board'),
      options: [{ flags: '--watch', about: say('help.sessions-watch') }],
      act: async (...given) => (await import('./commands/domains/board.ts')).showBoard(...given),
    },
    {
      name: 'compare',
      names: ['ids...'],
      about: say('help.sessions-compare'),
      options: [{ flags: '--base <branch>', about: say('help.sessions-base') }],
      act: async (...given) => (await load()).compareSessions(...given),
    },
    {
      name: 'merge',
      names: ['id'],
      about: say('help.sessions-merge'),
      options: mergeOptions(say),
      act: async (...given) => (await load()).mergeSession(...given),
    },
  ];
}

function mergeOptions(say: Say): NonNullable<CommandFacts['options']> {
  return [
    { flags: '--message <message>', about: say('help.worktrees-message') },
    { flags: '--rebase', about: say('help.worktrees-rebase') },
  ];
}
