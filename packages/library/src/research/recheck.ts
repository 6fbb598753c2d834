import type { Ambient } from '@fucina/shared';
import { libraryError } from '../errors.ts';
import type { EngineNeeds } from './engine.ts';
import { isQuotedIn } from './quote-check.ts';
import { type Balance, balanceOf, parseReport } from './report.ts';
import type { ResearchFiles } from './research-files.ts';

export interface Recheck {
  /** Sources that were reachable. */
  checked: number;
  /** Sources whose page no longer contains the quoted text. */
  changed: number;
  /** With the claims of changed sources marked as not verified. */
  balance: Balance;
  /** ms. */
  at: number;
}

const SIGNAL_MS = 120_000;

/**
 * Fetches the sources again; the report's text does not change. RESEARCH_RECHECK_UNAVAILABLE when none is reachable.
 */
export async function recheck({
  ambient,
  files,
  readPage,
}: Pick<EngineNeeds, 'readPage'> & { ambient: Ambient; files: ResearchFiles }): Promise<Recheck> {
  const { record } = parseReport((await files.report()) ?? '');
  if (!record) throw libraryError('RESEARCH_RECHECK_UNAVAILABLE', { reason: 'no-record' });
  const signal = AbortSignal.timeout(SIGNAL_MS);
  const pages = new Map<number, string>();
  for (const [index, { url, obtained }] of record.sources.entries()) {
    const page = obtained === 'page' ? await readPage(url, signal).catch(() => undefined) : undefined;
    if (page) pages.set(index + 1, page.text);
  }
  if (pages.size === 0) throw libraryError('RESEARCH_RECHECK_UNAVAILABLE', { reason: 'unreachable' });
  const changed = new Set<number>();
  const claims = record.claims.map((claim) => {
    const text = pages.get(claim.sourceIndex);
    if (text === undefined || claim.passage === '' || isQuotedIn(claim.passage, text)) return claim;
    changed.add(claim.sourceIndex);
    return { ...claim, checks: { claimSupported: null } };
  });
  return { checked: pages.size, changed: changed.size, balance: balanceOf({ claims }), at: ambient.now() };
}
