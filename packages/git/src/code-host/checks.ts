import { address, type Fields, nodes, optionalFields, optionalText, readFields, text } from './answer.ts';

export type CheckState = 'passed' | 'failed' | 'running' | 'skipped' | 'cancelled';

export interface Check {
  name: string;
  workflow: string | null;
  state: CheckState;
  url: string | null;
  /** ISO 8601. */
  started: string | null;
  ended: string | null;
}

export interface Checks {
  checks: Check[];
  counts: Record<CheckState, number>;
}

/** The query for the checks of a pull request's last commit. */
export const ROLLUP = `commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 100) { nodes {
  __typename
  ... on CheckRun { name status conclusion detailsUrl startedAt completedAt checkSuite { workflowRun { workflow { name } } } }
  ... on StatusContext { context state targetUrl createdAt }
} } } } } }`;

export function readChecks(pull: Fields): Checks {
  const [last] = nodes(pull.commits, 'commits');
  const commit = last && readFields(last.commit, 'commit');
  const rollup = optionalFields(commit?.statusCheckRollup, 'statusCheckRollup');
  const checks = rollup ? nodes(rollup.contexts, 'contexts').map(checkOf) : [];
  const counts: Checks['counts'] = { passed: 0, failed: 0, running: 0, skipped: 0, cancelled: 0 };
  for (const { state } of checks) counts[state]++;
  return { checks, counts };
}

function checkOf(node: Fields): Check {
  if (node.__typename === 'StatusContext')
    return {
      name: text(node.context, 'context'),
      workflow: null,
      state: STATES[String(node.state)] ?? 'running',
      url: address(node.targetUrl),
      started: optionalText(node.createdAt, 'createdAt'),
      ended: null,
    };
  const suite = optionalFields(node.checkSuite, 'checkSuite');
  const workflow = optionalFields(optionalFields(suite?.workflowRun, 'workflowRun')?.workflow, 'workflow');
  return {
    name: text(node.name, 'name'),
    workflow: optionalText(workflow?.name, 'workflow'),
    state: node.status === 'COMPLETED' ? (STATES[String(node.conclusion)] ?? 'failed') : 'running',
    url: address(node.detailsUrl),
    started: optionalText(node.startedAt, 'startedAt'),
    ended: optionalText(node.completedAt, 'completedAt'),
  };
}

const STATES: Readonly<Record<string, CheckState>> = {
  SUCCESS: 'passed',
  NEUTRAL: 'skipped',
  SKIPPED: 'skipped',
  CANCELLED: 'cancelled',
  STALE: 'cancelled',
  FAILURE: 'failed',
  ERROR: 'failed',
  TIMED_OUT: 'failed',
  ACTION_REQUIRED: 'failed',
  STARTUP_FAILURE: 'failed',
  PENDING: 'running',
  EXPECTED: 'running',
};
