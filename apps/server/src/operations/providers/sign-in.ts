import type { ErrorCode } from '@fucina/shared';
import { signedInWords } from '@fucina/shared/sentences';
import * as z from 'zod';
import { json, page } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { signInStart } from '../../wire/sign-in.ts';

const tag = 'Models and providers';
const RETURN_PATH = '/auth/aggregator/ritorno';
const FINISH_ERRORS: readonly ErrorCode[] = [
  'OAUTH_NON_CONFIGURATO',
  'OAUTH_ATTESA_IGNOTA',
  'OAUTH_CODICE_MANCANTE',
  'OAUTH_SCAMBIO_RIFIUTATO',
  'OAUTH_RETE',
  'OAUTH_RISPOSTA_INATTESA',
  'OAUTH_CUSTODIA_FALLITA',
];

export const startSignIn = operation({
  id: 'sign-in.start',
  tag,
  summary: 'Start the sign-in; returns the address to open',
  method: 'POST',
  path: '/auth/aggregator/inizia',
  body: renamed(z.strictObject({ senzaRitorno: z.boolean().optional() }), { senzaRitorno: 'isOnScreen' }),
  bodyLimit: 1024,
  answer: json(signInStart),
  errors: ['OAUTH_NON_CONFIGURATO'],
  handle: ({ body, services, returnOrigin }) =>
    services.providers.signIn.start({ ...body, returnTo: `${returnOrigin}/api/v1${RETURN_PATH}` }),
});

export const finishSignIn = operation({
  id: 'sign-in.finish',
  tag,
  summary: 'Finish with the code shown on the screen',
  method: 'POST',
  path: '/auth/aggregator/codice',
  body: renamed(z.strictObject({ stato: z.string().max(400), codice: z.string().optional() }), {
    stato: 'state',
    codice: 'code',
  }),
  bodyLimit: 4 * 1024,
  answer: json(z.object({ custodita: z.literal(true) })),
  errors: FINISH_ERRORS,
  async handle({ body, services }) {
    await services.providers.signIn.finish(body);
    return { custodita: true as const };
  },
});

const code = z.string().optional();
const state = z.string().optional();

export const returnFromSignIn = operation({
  id: 'sign-in.return',
  tag,
  summary: 'Sign-in callback for the browser',
  method: 'GET',
  path: RETURN_PATH,
  query: z.strictObject({ code, state, stato: state }),
  answer: page(),
  errors: FINISH_ERRORS,
  guards: ['sign-in-state'],
  async handle({ query, services, language }) {
    await services.providers.signIn.finish({ state: query.state ?? query.stato, code: query.code });
    return { ...signedInWords(language), language };
  },
});

export const returnFromSignInByPath = operation({
  id: 'sign-in.return-by-path',
  tag,
  summary: 'The same, with the state in the path',
  method: 'GET',
  path: `${RETURN_PATH}/{state}`,
  params: z.strictObject({ state: z.string().min(1).max(400) }),
  query: z.strictObject({ code }),
  answer: page(),
  errors: FINISH_ERRORS,
  guards: ['sign-in-state'],
  async handle({ params, query, services, language }) {
    await services.providers.signIn.finish({ state: params.state, code: query.code });
    return { ...signedInWords(language), language };
  },
});
