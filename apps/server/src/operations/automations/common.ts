import * as z from 'zod';

export const tag = 'Automations';
export const guards = ['token', 'from-window:AUTOMATION_ORIGIN_FORBIDDEN'] as const;
export const automationId = z.string().min(1).max(200);
export const automationParams = z.strictObject({ automationId });
export const runParams = z.strictObject({ automationId, runId: z.string().min(1).max(200) });
export const AUTOMATION_ERRORS = ['AUTOMATION_ORIGIN_FORBIDDEN', 'AUTOMATION_INVALID'] as const;
