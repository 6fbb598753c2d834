import * as z from 'zod';
import { bytes, json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { renamed } from '../../http/renamed.ts';
import { sessionId, sessionParams } from '../../wire/common.ts';
import { recordId } from '../../wire/record-fields.ts';
import { recheckAnswer, researchDetail, researchList } from '../../wire/research.ts';
import { tag } from './record-scope.ts';

const path = '/sessions/{sessionId}/research/{researchId}';
const params = z.strictObject({ sessionId, researchId: recordId });
const base = {
  tag,
  params,
  refusals: { researchId: 'RESEARCH_INVALID', formato: 'RESEARCH_INVALID', tono: 'RESEARCH_INVALID' },
} as const;
const errors = ['RESEARCH_INVALID', 'RESEARCH_NOT_FOUND'] as const;

export const listResearch = operation({
  id: 'research.list',
  tag,
  summary: 'Latest research reports of the project',
  method: 'GET',
  path: '/sessions/{sessionId}/research',
  params: sessionParams,
  answer: json(researchList),
  handle: async ({ params: { sessionId: asked }, services, language }) => ({
    found: await services.sessionResearch.list(asked),
    language,
  }),
});

export const readResearch = operation({
  ...base,
  id: 'research.read',
  summary: 'A research report: question, plan, sources, text',
  method: 'GET',
  path,
  answer: json(researchDetail),
  errors: [...errors, 'RESEARCH_CONFLICT', 'RESEARCH_RECHECK_UNAVAILABLE'],
  handle: async ({ params: { sessionId: asked, researchId }, services, language }) => ({
    detail: await services.sessionResearch.read(asked, researchId),
    language,
  }),
});

export const pauseResearch = operation({
  ...base,
  id: 'research.pause',
  summary: 'Pause a research task after the current step',
  method: 'POST',
  path: `${path}/pausa`,
  answer: json(researchDetail),
  errors: [...errors, 'RESEARCH_CONFLICT', 'RESEARCH_RECHECK_UNAVAILABLE'],
  handle: async ({ params: { sessionId: asked, researchId }, services, language }) => ({
    detail: await services.sessionResearch.pause(asked, researchId),
    language,
  }),
});

export const resumeResearch = operation({
  ...base,
  id: 'research.resume',
  summary: 'Resume a paused research task',
  method: 'POST',
  path: `${path}/ripresa`,
  answer: json(researchDetail),
  errors: [...errors, 'RESEARCH_CONFLICT', 'RESEARCH_RECHECK_UNAVAILABLE', 'SERVER_SHUTTING_DOWN'],
  handle: async ({ params: { sessionId: asked, researchId }, services, language }) => ({
    detail: await services.sessionResearch.resume(asked, researchId),
    language,
  }),
});

export const recheckResearch = operation({
  ...base,
  id: 'research.recheck',
  summary: 'Check the sources of a finished research report again',
  method: 'POST',
  path: `${path}/riverifica`,
  answer: json(recheckAnswer),
  errors: [...errors, 'RESEARCH_CONFLICT', 'RESEARCH_RECHECK_UNAVAILABLE'],
  handle: async ({ params: { sessionId: asked, researchId }, services }) => ({
    riverifica: await services.sessionResearch.recheck(asked, researchId),
  }),
});

export const exportResearch = operation({
  ...base,
  id: 'research.export',
  summary: 'Export a research report',
  method: 'GET',
  path: `${path}/esporta`,
  query: renamed(
    z.strictObject({
      formato: z.enum(['md', 'html', 'pdf', 'docx', 'json', 'bib', 'ris', 'fonti']),
      tono: z.enum(['report', 'brief', 'dossier']).default('report'),
    }),
    { formato: 'format', tono: 'tone' },
  ),
  answer: bytes('application/octet-stream'),
  errors: [...errors, 'RESEARCH_CONFLICT'],
  async handle({ params: { sessionId: asked, researchId }, query, services, language }) {
    const options = { ...query, language };
    const { name, mediaType, bytes: content } = await services.sessionResearch.exportAs(asked, researchId, options);
    return { name, mediaType, content, sizeBytes: content.length };
  },
});

export const deleteResearch = operation({
  ...base,
  id: 'research.delete',
  makesRoom: true,
  summary: 'Delete a research task and its report',
  method: 'DELETE',
  path,
  answer: json(z.object({ eliminata: z.literal(true), id: z.string(), titolo: z.string().nullable() })),
  errors: [...errors, 'RESEARCH_CONFLICT', 'RESEARCH_RECHECK_UNAVAILABLE'],
  async handle({ params: { sessionId: asked, researchId }, services }) {
    const { id, title } = await services.sessionResearch.remove(asked, researchId);
    return { eliminata: true as const, id, titolo: title };
  },
});
