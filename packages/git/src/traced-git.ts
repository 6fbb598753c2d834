import { isAppError, type Tracing } from '@fucina/shared';

/** Groups of functions that start git; all their functions resolve later. */
const GROUPS = [
  'reading',
  'staging',
  'commits',
  'branches',
  'stashes',
  'remotes',
  'programs',
  'worktrees',
  'pulls',
] as const;

type Groups = Record<(typeof GROUPS)[number], object>;

/** They start no git, and commands call them. */
const UNTRACED: ReadonlySet<string> = new Set(['worktrees.at', 'worktrees.record']);

/**
 * The same, with a span for each operation: `git commits.staged`. Names of files and branches, and messages, are not
 * part of it. `parent`: the trace context of the operations, else each is a trace of its own.
 */
export function tracedGit<Git extends Groups>(git: Git, tracing: Tracing, parent?: string): Git {
  const groups = GROUPS.map((group) => [group, tracedGroup(git[group], { group, tracing, parent })]);
  return {
    ...git,
    ...(Object.fromEntries(groups) as Pick<Git, (typeof GROUPS)[number]>),
    within: (traceparent: string | undefined) => tracedGit(git, tracing, traceparent),
  };
}

interface Where {
  group: string;
  tracing: Tracing;
  parent: string | undefined;
}

type Operation = (...given: never[]) => Promise<unknown>;

function tracedGroup<Group extends object>(group: Group, where: Where): Group {
  const traced = Object.entries(group).map(([name, run]) => {
    const operation = `${where.group}.${name}`;
    return [name, UNTRACED.has(operation) ? run : tracedOperation(operation, run as Operation, where)];
  });
  return Object.fromEntries(traced) as Group;
}

function tracedOperation(operation: string, run: Operation, { tracing, parent }: Where): Operation {
  return async (...given) => {
    const span = tracing.start(`git ${operation}`, { parent, attributes: { 'fucina.git.operation': operation } });
    try {
      const result = await run(...given);
      span.end();
      return result;
    } catch (error) {
      span.end(isAppError(error) ? error.code : 'internal');
      throw error;
    }
  };
}
