import { hostError } from '../errors.ts';
import {
  address,
  type Fields,
  nodes,
  optionalFields,
  optionalText,
  parseAnswer,
  readFields,
  readInteger,
  text,
} from './answer.ts';
import type { HostedBranch } from './branch.ts';
import { type Checks, ROLLUP, readChecks } from './checks.ts';
import { CREATE_MS, failureOf, HOST, type HostTool } from './tool.ts';

export type PullState = 'open' | 'closed' | 'merged' | 'unknown';

export interface PullRequest {
  number: number;
  title: string;
  url: string | null;
  state: PullState;
  isDraft: boolean;
  isFromFork: boolean;
  branch: string;
  base: string;
  author: string | null;
  /** ISO 8601. */
  updated: string | null;
  created: string | null;
  /**
   * In the code host's own words (`APPROVED`, `CHANGES_REQUESTED`, `REVIEW_REQUIRED`); null when no review is required.
   */
  review: string | null;
  /** Likewise: `MERGEABLE`, `CONFLICTING`, `UNKNOWN`. */
  mergeable: string | null;
  checks?: Checks;
}

export interface PullList {
  defaultBranch: string | null;
  account: string | null;
  /** The newest open pull request of the branch, or else the newest. */
  ofBranch: PullRequest | null;
  open: PullRequest[];
}

const PULL = `number title url state isDraft isCrossRepository headRefName baseRefName author { login } updatedAt createdAt
  reviewDecision mergeable`;
const NEWEST = 'orderBy: { field: UPDATED_AT, direction: DESC }';
const LIST = `query ($owner: String!, $name: String!, $branch: String!) {
  viewer { login }
  repository(owner: $owner, name: $name) {
    defaultBranchRef { name }
    open: pullRequests(states: OPEN, first: 50, ${NEWEST}) { nodes { ${PULL} } }
    branch: pullRequests(headRefName: $branch, first: 10, ${NEWEST}) { nodes { ${PULL} ${ROLLUP} } }
  }
}`;

export async function listPulls(tool: HostTool, { owner, name, remoteBranch }: HostedBranch): Promise<PullList> {
  const data = await ask(tool, LIST, { owner, name, branch: remoteBranch });
  const repository = readFields(data.repository, 'repository');
  const own = nodes(repository.branch, 'branch')
    .map(pullOf)
    .filter((pull) => !pull.isFromFork);
  return {
    defaultBranch: optionalText(optionalFields(repository.defaultBranchRef, 'default')?.name, 'default'),
    account: optionalText(optionalFields(data.viewer, 'viewer')?.login, 'viewer'),
    ofBranch: own.find((pull) => pull.state === 'open') ?? own[0] ?? null,
    open: nodes(repository.open, 'open').map(pullOf),
  };
}

const ONE = `query ($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { number state ${ROLLUP} } }
}`;

/** Throws NOT_FOUND. */
export async function pullChecks(
  tool: HostTool,
  { owner, name }: HostedBranch,
  number: number,
): Promise<{ number: number; state: PullState; checks: Checks }> {
  const data = await ask(tool, ONE, { owner, name, number });
  const pull = optionalFields(readFields(data.repository, 'repository').pullRequest, 'pullRequest');
  if (!pull) throw hostError('NOT_FOUND', { reason: 'pull-request' });
  return { number: readInteger(pull.number, 'number'), state: stateOf(pull.state), checks: readChecks(pull) };
}

const DEFAULT =
  'query ($owner: String!, $name: String!) { repository(owner: $owner, name: $name) { defaultBranchRef { name } } }';

export async function defaultBranchOf(tool: HostTool, { owner, name }: HostedBranch): Promise<string | null> {
  const repository = readFields((await ask(tool, DEFAULT, { owner, name })).repository, 'repository');
  return optionalText(optionalFields(repository.defaultBranchRef, 'default')?.name, 'default');
}

export interface NewPull {
  title: string;
  text: string;
  base: string;
  isDraft: boolean;
}

/** Throws HOST_BASE_UNKNOWN, HOST_BRANCH_NOT_PUSHED, HOST_INPUT_INVALID. */
export async function createPull(
  tool: HostTool,
  { owner, name, remoteBranch }: HostedBranch,
  pull: NewPull,
): Promise<{ number: number; url: string }> {
  const input = JSON.stringify({
    title: pull.title,
    body: pull.text,
    base: pull.base,
    head: remoteBranch,
    draft: pull.isDraft,
  });
  const args = ['api', '--hostname', HOST, '--method', 'POST', `repos/${owner}/${name}/pulls`, '--input', '-'];
  const outcome = await tool.run(args, { input, timeoutMs: CREATE_MS });
  if (outcome.exitCode !== 0) {
    if (/\(HTTP 422\)/.test(outcome.stderr)) throw refusalOf(outcome.stdout);
    throw failureOf(outcome, 'api pulls');
  }
  const made = parseAnswer(outcome.stdout);
  const url = address(made.html_url);
  if (url === null) throw hostError('HOST_OUTPUT_INVALID', { reason: 'shape' });
  return { number: readInteger(made.number, 'number'), url };
}

function refusalOf(body: string): Error {
  const { errors } = parseAnswer(body);
  const fieldsNamed = Array.isArray(errors) ? errors.map((one: unknown) => (one as Fields | null)?.field) : [];
  if (fieldsNamed.includes('base')) return hostError('HOST_BASE_UNKNOWN');
  if (fieldsNamed.includes('head')) return hostError('HOST_BRANCH_NOT_PUSHED');
  return hostError('HOST_INPUT_INVALID', { reason: /already exists/.test(body) ? 'exists' : 'refused' });
}

async function ask(tool: HostTool, query: string, variables: Record<string, string | number>): Promise<Fields> {
  const args = ['api', '--hostname', HOST, 'graphql', '--input', '-'];
  const outcome = await tool.run(args, { input: JSON.stringify({ query, variables }) });
  if (outcome.exitCode !== 0) {
    // A missing one is an error next to a null.
    const missing = /"type":\s*"NOT_FOUND"/.test(outcome.stdout)
      ? optionalFields(parseAnswer(outcome.stdout).data, 'data')
      : undefined;
    if (missing?.repository) return missing;
    throw failureOf(outcome, 'api graphql');
  }
  return readFields(parseAnswer(outcome.stdout).data, 'data');
}

function pullOf(node: Fields): PullRequest {
  return {
    number: readInteger(node.number, 'number'),
    title: text(node.title, 'title'),
    url: address(node.url),
    state: stateOf(node.state),
    isDraft: node.isDraft === true,
    isFromFork: node.isCrossRepository === true,
    branch: text(node.headRefName, 'headRefName'),
    base: text(node.baseRefName, 'baseRefName'),
    author: optionalText(optionalFields(node.author, 'author')?.login, 'author'),
    updated: optionalText(node.updatedAt, 'updatedAt'),
    created: optionalText(node.createdAt, 'createdAt'),
    review: optionalText(node.reviewDecision, 'reviewDecision'),
    mergeable: optionalText(node.mergeable, 'mergeable'),
    ...(node.commits !== undefined && { checks: readChecks(node) }),
  };
}

const STATES: Readonly<Record<string, PullState>> = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' };

function stateOf(value: unknown): PullState {
  return (typeof value === 'string' && STATES[value]) || 'unknown';
}
