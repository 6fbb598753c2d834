import { ERROR_CODES, type ErrorCode } from '../codes.ts';
import type { Entry } from './index.ts';
export const EN = Object.fromEntries(ERROR_CODES.map((c) => [c, [c, c, c]])) as unknown as Record<ErrorCode, Entry>;
