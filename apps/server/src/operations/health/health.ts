import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { doctorReport, problem, setupState } from '../../wire/doctor.ts';

const tag = 'Health and diagnostics';

export const health = operation({
  id: 'health.read',
  tag,
  summary: 'Liveness',
  method: 'GET',
  path: '/health',
  answer: json(z.object({ status: z.literal('ok') })),
  handle: () => ({ status: 'ok' as const }),
});

export const doctor = operation({
  id: 'doctor.report',
  tag,
  summary: 'Readiness report',
  method: 'GET',
  path: '/doctor',
  answer: json(doctorReport),
  errors: ['REPORT_UNAVAILABLE'],
  handle: async ({ services, language }) => ({ report: await services.diagnostics.doctor(), language }),
});

export const doctorReference = operation({
  id: 'doctor.reference',
  tag,
  summary: 'Recorded details of an error reference',
  method: 'GET',
  path: '/doctor/{reference}',
  params: z.strictObject({ reference: z.string() }),
  answer: json(problem),
  handle: ({ params, services }) => services.diagnostics.problems.read(params.reference),
});

export const setup = operation({
  id: 'setup.state',
  tag,
  summary: 'First-run state',
  method: 'GET',
  path: '/setup/stato',
  answer: json(setupState),
  errors: ['REPORT_UNAVAILABLE'],
  handle: ({ services }) => services.diagnostics.setupState(),
});

export const shutdown = operation({
  id: 'admin.shutdown',
  tag,
  summary: 'Stop the server after this response',
  method: 'POST',
  path: '/admin/shutdown',
  answer: json(z.object({ spegnimento: z.literal('avviato') }), 202),
  guards: ['token', 'loopback', 'shutdown-token'],
  handle: ({ services, afterAnswer }) => {
    afterAnswer(services.shutdown);
    return { spegnimento: 'avviato' as const };
  },
});
