import type { ErrorCode } from '../codes.ts';
import type { Entry } from './entry.ts';
import { BROWSER_IT } from './it-browser.ts';
import { FILES_IT } from './it-files.ts';
import { GIT_IT } from './it-git.ts';
import { HOST_IT } from './it-host.ts';
import { HUB_IT } from './it-hub.ts';
import { MODELS_IT } from './it-models.ts';
import { PROVIDERS_IT } from './it-providers.ts';
import { RUNS_IT } from './it-runs.ts';
import { SERVER_IT } from './it-server.ts';
import { SESSIONS_IT } from './it-sessions.ts';

/** Italian; an error code without its sentences does not compile. */
export const IT: Record<ErrorCode, Entry> = {
  ...BROWSER_IT,
  ...FILES_IT,
  ...GIT_IT,
  ...HOST_IT,
  ...HUB_IT,
  ...MODELS_IT,
  ...PROVIDERS_IT,
  ...RUNS_IT,
  ...SERVER_IT,
  ...SESSIONS_IT,
};
