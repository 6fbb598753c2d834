import type { Services } from '@fucina/host';
import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { encoded } from '../../http/renamed.ts';
import { ok, sessionId, sessionParams } from '../../wire/common.ts';
import {
  checks,
  hostStatus,
  PULL_ERRORS,
  pull,
  pullState,
  signInStarted,
  TOOL_ERRORS,
  toolInstalled,
} from '../../wire/github.ts';

type Pulls = Services['sessionGit']['pulls'];
type Answered<Name extends keyof Pulls> = Awaited<ReturnType<Pulls[Name]>>;

const tag = 'Git and GitHub';

export const githubStatus = operation({
  tag,
  id: 'github.status',
  summary: 'Whether the code host’s CLI is installed and signed in',
  method: 'GET',
  path: '/github/status',
  answer: json(hostStatus),
  errors: TOOL_ERRORS,
  handle: ({ services }) => services.sessionGit.codeHost.status(),
});

export const githubInstall = operation({
  tag,
  id: 'github.install',
  summary: 'Install the code host’s CLI',
  method: 'POST',
  path: '/github/install',
  answer: json(toolInstalled),
  errors: [
    'HOST_STORE_UNAVAILABLE',
    'HOST_UNSUPPORTED_PLATFORM',
    'HOST_DOWNLOAD_FAILED',
    'HOST_CHECKSUM_MISMATCH',
    'HOST_EXTRACT_FAILED',
    'HOST_TIMEOUT',
  ],
  handle: async ({ services }) => ({ tool: await services.sessionGit.codeHost.install() }),
});

export const githubLogin = operation({
  tag,
  id: 'github.login',
  summary: 'Start a device-code sign-in',
  method: 'POST',
  path: '/github/login',
  answer: json(signInStarted),
  errors: [...TOOL_ERRORS, 'HOST_NOT_INSTALLED', 'HOST_LOGIN_FAILED'],
  handle: async ({ services }) => ({ ok: true as const, ...(await services.sessionGit.codeHost.signIn()) }),
});

export const githubLoginCancel = operation({
  tag,
  id: 'github.login-cancel',
  summary: 'Cancel a pending sign-in',
  method: 'POST',
  path: '/github/login-cancel',
  answer: json(ok.extend({ fermato: z.boolean() })),
  errors: ['HOST_STORE_UNAVAILABLE'],
  handle: async ({ services }) => ({
    ok: true as const,
    fermato: await services.sessionGit.codeHost.cancelSignIn(),
  }),
});

export const githubPulls = operation({
  tag,
  id: 'github.pulls',
  summary: 'Pull request of the branch, and all open ones',
  method: 'GET',
  path: '/sessions/{sessionId}/github/pulls',
  params: sessionParams,
  answer: json(
    encoded(
      z.object({
        repo: z.string(),
        remoto: z.string(),
        ramo: z.string(),
        ramoRemoto: z.string(),
        pubblicato: z.boolean(),
        avanti: z.number().int(),
        indietro: z.number().int(),
        ramoPredefinito: z.string().nullable(),
        account: z.string().nullable(),
        prDelRamo: pull.nullable(),
        aperte: z.array(pull),
      }),
      (list: Answered<'list'>) => ({
        repo: `${list.owner}/${list.name}`,
        remoto: list.remote,
        ramo: list.branch,
        ramoRemoto: list.remoteBranch,
        pubblicato: list.isPublished,
        avanti: list.ahead,
        indietro: list.behind,
        ramoPredefinito: list.defaultBranch,
        account: list.account,
        prDelRamo: list.ofBranch,
        aperte: list.open,
      }),
    ),
  ),
  errors: PULL_ERRORS,
  handle: ({ params, services }) => services.sessionGit.pulls.list(params.sessionId),
});

export const githubPullCreate = operation({
  tag,
  id: 'github.pull-create',
  summary: 'Create a pull request from the branch',
  method: 'POST',
  path: '/sessions/{sessionId}/github/pulls',
  params: sessionParams,
  body: z.strictObject({
    titolo: z.string(),
    testo: z.string().default(''),
    base: z.string(),
    bozza: z.boolean().default(false),
  }),
  refusals: { titolo: 'HOST_INPUT_INVALID', testo: 'HOST_INPUT_INVALID', base: 'HOST_INPUT_INVALID' },
  answer: json(
    encoded(
      ok.extend({
        url: z.string(),
        numero: z.number().int(),
        repo: z.string(),
        base: z.string(),
        ramo: z.string(),
        bozza: z.boolean(),
      }),
      (made: Answered<'create'>) => ({
        ok: true as const,
        url: made.url,
        numero: made.number,
        repo: `${made.owner}/${made.name}`,
        base: made.base,
        ramo: made.remoteBranch,
        bozza: made.isDraft,
      }),
    ),
  ),
  errors: [...PULL_ERRORS, 'HOST_INPUT_INVALID', 'HOST_BASE_UNKNOWN', 'HOST_BRANCH_NOT_PUSHED'],
  handle: ({ params, body, services }) =>
    services.sessionGit.pulls.create(params.sessionId, {
      title: body.titolo,
      text: body.testo,
      base: body.base,
      isDraft: body.bozza,
    }),
});

export const githubPullDraft = operation({
  tag,
  id: 'github.pull-draft',
  summary: 'Suggested title and body of a pull request from the branch',
  method: 'GET',
  path: '/sessions/{sessionId}/github/pull-draft',
  params: sessionParams,
  query: z.strictObject({ base: z.string().max(1_000).optional() }),
  answer: json(
    encoded(
      z.object({
        repo: z.string(),
        remoto: z.string(),
        ramo: z.string(),
        ramoRemoto: z.string(),
        pubblicato: z.boolean(),
        avanti: z.number().int(),
        base: z.string().nullable(),
        ramoPredefinito: z.string().nullable(),
        basi: z.array(z.string()),
        baseTrovata: z.boolean(),
        commit: z.number().int(),
        commitOltre: z.boolean(),
        titolo: z.string(),
        testo: z.string(),
      }),
      (draft: Answered<'draft'>) => ({
        repo: `${draft.owner}/${draft.name}`,
        remoto: draft.remote,
        ramo: draft.branch,
        ramoRemoto: draft.remoteBranch,
        pubblicato: draft.isPublished,
        avanti: draft.ahead,
        base: draft.base,
        ramoPredefinito: draft.defaultBranch,
        basi: draft.bases,
        baseTrovata: draft.isBaseKnown,
        commit: draft.commits,
        commitOltre: draft.hasMore,
        titolo: draft.title,
        testo: draft.text,
      }),
    ),
  ),
  errors: [...PULL_ERRORS, 'GIT_BRANCH_INVALID'],
  handle: ({ params, query, services }) => services.sessionGit.pulls.draft(params.sessionId, query.base),
});

export const githubChecks = operation({
  tag,
  id: 'github.checks',
  summary: 'Checks of a pull request',
  method: 'GET',
  path: '/sessions/{sessionId}/github/pulls/{number}/checks',
  params: z.strictObject({
    sessionId,
    number: z.codec(z.string().regex(/^[1-9]\d{0,8}$/), z.number().int(), {
      decode: (digits) => Number(digits),
      encode: (value) => String(value),
    }),
  }),
  answer: json(
    encoded(
      z.object({ numero: z.number().int(), stato: pullState.nullable(), controlli: checks }),
      (found: Answered<'checks'>) => ({
        numero: found.number,
        stato: found.state === 'unknown' ? null : found.state,
        controlli: found.checks,
      }),
    ),
  ),
  errors: PULL_ERRORS,
  handle: ({ params, services }) => services.sessionGit.pulls.checks(params.sessionId, params.number),
});
