import type { ProposalRow, RunRow } from '../../wire/workflows.ts';
import type { ProposalState } from './marks.tsx';

type Version = Pick<ProposalRow, 'workflowId' | 'version'>;

/** The run of a version, which is started at most once. */
export const runOf = (runs: readonly RunRow[], { workflowId, version }: Version): RunRow | undefined =>
  runs.find((run) => run.workflowId === workflowId && run.version === version);

/** The latest version of each workflow, newest first. */
export function latestVersions(rows: readonly ProposalRow[]): ProposalRow[] {
  const latest = new Map<string, ProposalRow>();
  for (const row of rows) {
    const known = latest.get(row.workflowId);
    if (!known || known.version < row.version) latest.set(row.workflowId, row);
  }
  return rows.filter((row) => latest.get(row.workflowId) === row);
}

export function latestOf(rows: readonly ProposalRow[], workflowId: string): number {
  return Math.max(0, ...rows.filter((row) => row.workflowId === workflowId).map(({ version }) => version));
}

export function proposalStateOf(row: ProposalRow, latest: number, runs: readonly RunRow[]): ProposalState {
  if (runOf(runs, row)) return 'started';
  return row.version < latest ? 'superseded' : row.status;
}
