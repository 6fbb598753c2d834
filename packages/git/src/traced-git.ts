import { isAppError, type Tracing } from '@fucina/shared';
import type { Git } from './git-interface.ts';

type Traced = <Given extends unknown[], Result>(
  operation: string,
  run: (...given: Given) => Promise<Result>,
) => (...given: Given) => Promise<Result>;

/**
 * The same, with a span for each operation that starts git: `git commits.staged`. Names of files and branches, and
 * messages, are not part of it. `parent`: the trace context of the operations, else each is a trace of its own.
 */
export function tracedGit(git: Git, tracing: Tracing, parent?: string): Git {
  const traced = tracer(tracing, parent);
  return {
    ...git,
    ...tracedReading(git, traced),
    ...tracedChanges(git, traced),
    ...tracedRemotes(git, traced),
    ...tracedWorktrees(git, traced),
    within: (traceparent) => tracedGit(git, tracing, traceparent),
  };
}

function tracer(tracing: Tracing, parent: string | undefined): Traced {
  return (operation, run) =>
    async (...given) => {
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

function tracedReading({ reading, programs }: Git, traced: Traced): Pick<Git, 'reading' | 'programs'> {
  return {
    reading: {
      state: traced('reading.state', reading.state),
      branch: traced('reading.branch', reading.branch),
      diff: traced('reading.diff', reading.diff),
      history: traced('reading.history', reading.history),
      changes: traced('reading.changes', reading.changes),
      changesDiff: traced('reading.changesDiff', reading.changesDiff),
      branchPoint: traced('reading.branchPoint', reading.branchPoint),
      branchPointDiff: traced('reading.branchPointDiff', reading.branchPointDiff),
    },
    programs: {
      read: traced('programs.read', programs.read),
      trustFilter: traced('programs.trustFilter', programs.trustFilter),
      chooseHook: traced('programs.chooseHook', programs.chooseHook),
      hookRuns: traced('programs.hookRuns', programs.hookRuns),
      stopHook: traced('programs.stopHook', programs.stopHook),
      followHooks: traced('programs.followHooks', programs.followHooks),
    },
  };
}

type Changes = Pick<Git, 'staging' | 'commits' | 'branches' | 'stashes'>;

function tracedChanges({ staging, commits, branches, stashes }: Git, traced: Traced): Changes {
  return {
    staging: {
      stage: traced('staging.stage', staging.stage),
      stageWithMarkers: traced('staging.stageWithMarkers', staging.stageWithMarkers),
      unstage: traced('staging.unstage', staging.unstage),
      discard: traced('staging.discard', staging.discard),
      hunk: traced('staging.hunk', staging.hunk),
      discards: traced('staging.discards', staging.discards),
      undoDiscard: traced('staging.undoDiscard', staging.undoDiscard),
    },
    commits: {
      paths: traced('commits.paths', commits.paths),
      staged: traced('commits.staged', commits.staged),
      amend: traced('commits.amend', commits.amend),
      undo: traced('commits.undo', commits.undo),
      suggest: traced('commits.suggest', commits.suggest),
      init: traced('commits.init', commits.init),
    },
    branches: {
      list: traced('branches.list', branches.list),
      switch: traced('branches.switch', branches.switch),
      create: traced('branches.create', branches.create),
      rename: traced('branches.rename', branches.rename),
      delete: traced('branches.delete', branches.delete),
    },
    stashes: {
      list: traced('stashes.list', stashes.list),
      push: traced('stashes.push', stashes.push),
      pop: traced('stashes.pop', stashes.pop),
      drop: traced('stashes.drop', stashes.drop),
    },
  };
}

function tracedRemotes({ remotes, pulls }: Git, traced: Traced): Pick<Git, 'remotes' | 'pulls'> {
  return {
    remotes: {
      list: traced('remotes.list', remotes.list),
      sync: traced('remotes.sync', remotes.sync),
      fetch: traced('remotes.fetch', remotes.fetch),
      stopFetch: traced('remotes.stopFetch', remotes.stopFetch),
      pull: traced('remotes.pull', remotes.pull),
      push: traced('remotes.push', remotes.push),
    },
    pulls: {
      list: traced('pulls.list', pulls.list),
      checks: traced('pulls.checks', pulls.checks),
      draft: traced('pulls.draft', pulls.draft),
      create: traced('pulls.create', pulls.create),
    },
  };
}

function tracedWorktrees({ worktrees }: Git, traced: Traced): Pick<Git, 'worktrees'> {
  return {
    worktrees: {
      list: traced('worktrees.list', worktrees.list),
      read: traced('worktrees.read', worktrees.read),
      bases: traced('worktrees.bases', worktrees.bases),
      create: traced('worktrees.create', worktrees.create),
      remove: traced('worktrees.remove', worktrees.remove),
      merge: traced('worktrees.merge', worktrees.merge),
      takeFiles: traced('worktrees.takeFiles', worktrees.takeFiles),
      pick: traced('worktrees.pick', worktrees.pick),
      undoPick: traced('worktrees.undoPick', worktrees.undoPick),
      // These start no git, and commands call them.
      at: worktrees.at,
      record: worktrees.record,
    },
  };
}
