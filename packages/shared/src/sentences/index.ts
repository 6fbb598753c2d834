import type { ErrorCode } from '../codes.ts';
import type { StoreFailure } from '../store-failure.ts';
import { EN } from './en.ts';
import type { Entry, Language, Sentences } from './entry.ts';
import { IT } from './it.ts';
import { REASONS, STORE_REASONS } from './reasons.ts';

export { type DoctorWords, doctorWords } from './doctor.ts';
export type { Entry, Language, Sentences } from './entry.ts';
export { pluginTrust, pluginWarning } from './extensions.ts';
export { HELP_UNKNOWN } from './help.ts';
export { LIBRARY_NOT_READ } from './library.ts';
export { probeWords } from './probe.ts';
export { RESEARCH_NOT_READ, researchReason } from './research.ts';
export { type RetryFacts, retryWords } from './retry.ts';
export { searchSourceNote } from './search-source.ts';
export { mcpSignedInWords, signedInWords } from './signed-in.ts';
export { TOOLS_NOT_LOADED } from './tools.ts';
export { withUnderlyingMessage } from './underlying.ts';

const WORDS: Record<Language, Record<ErrorCode, Entry>> = { it: IT, en: EN };

/** The sentences of the reason if it has its own, otherwise those of the code. */
export function sentencesFor(code: ErrorCode, language: Language, reason?: string): Sentences {
  const own = REASONS[code]?.[reason ?? ''] ?? (isStoreFailure(reason) ? STORE_REASONS[reason] : undefined);
  const [title, explanation, action] = own?.[language] ?? WORDS[language][code];
  return { message: explanation, title, explanation, action };
}

function isStoreFailure(reason: string | undefined): reason is StoreFailure {
  return reason !== undefined && Object.hasOwn(STORE_REASONS, reason);
}
