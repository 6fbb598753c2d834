import type { ErrorCode } from '../codes.ts';
import { BROWSER_EN } from './en-browser.ts';
import { FILES_EN } from './en-files.ts';
import { GIT_EN } from './en-git.ts';
import { HOST_EN } from './en-host.ts';
import { HUB_EN } from './en-hub.ts';
import { MODELS_EN } from './en-models.ts';
import { PROVIDERS_EN } from './en-providers.ts';
import { RUNS_EN } from './en-runs.ts';
import { SERVER_EN } from './en-server.ts';
import { SESSIONS_EN } from './en-sessions.ts';
import type { Entry } from './entry.ts';

/** English; an error code without its sentences does not compile. */
export const EN: Record<ErrorCode, Entry> = {
  ...BROWSER_EN,
  ...FILES_EN,
  ...GIT_EN,
  ...HOST_EN,
  ...HUB_EN,
  ...MODELS_EN,
  ...PROVIDERS_EN,
  ...RUNS_EN,
  ...SERVER_EN,
  ...SESSIONS_EN,
};
