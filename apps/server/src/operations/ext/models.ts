import * as z from 'zod';
import { json } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { modelProfile } from '../../wire/model-profile.ts';

export const readModelProfile = operation({
  id: 'ext.models.profile',
  tag: 'Extensions',
  summary: 'What a model gets by default, and where that was stated',
  method: 'GET',
  path: '/ext/models/profile',
  query: z.strictObject({ model: z.string() }),
  answer: json(z.object({ profile: modelProfile })),
  errors: ['MODEL_ID_INVALID', 'PROVIDER_STORE_UNAVAILABLE'],
  handle: async ({ query, services }) => ({ profile: await services.providers.profile(query.model) }),
});
