import type { Ambient } from '@fucina/shared';
import { diagnosticsError } from './errors.ts';

export type RowState = 'error' | 'attention' | 'unavailable' | 'ok';

/** One line of the readiness report: facts only. Applications translate `id` and `finding`. */
export interface DoctorRow {
  /** The subject: `data-folder`, `key-store`, `git` … */
  id: string;
  state: RowState;
  /** The finding in kebab-case: `writable`, `missing` … */
  finding: string;
  params?: Record<string, string | number>;
}

export interface DoctorReport {
  state: 'ready' | 'attention' | 'broken';
  version: string;
  generatedAt: number;
  /** Worst first. */
  rows: DoctorRow[];
}

/** One check of one domain: reads the configuration, runs nothing. */
export type DoctorCheck = () => DoctorRow | Promise<DoctorRow>;

const ORDER: readonly RowState[] = ['error', 'attention', 'unavailable', 'ok'];

export interface DoctorNeeds {
  ambient: Ambient;
  version: string;
  checks: ReadonlyMap<string, DoctorCheck>;
}

/** A check that throws becomes an error row; only a report without rows is REPORT_UNAVAILABLE. */
export async function examine({ ambient, version, checks }: DoctorNeeds): Promise<DoctorReport> {
  const rows = await Promise.all([...checks].map(([id, check]) => runCheck(ambient, id, check)));
  if (!rows.length) throw diagnosticsError('REPORT_UNAVAILABLE');
  rows.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const worst = rows[0]?.state;
  const state = worst === 'error' ? 'broken' : worst === 'attention' ? 'attention' : 'ready';
  return { state, version, generatedAt: ambient.now(), rows };
}

async function runCheck(ambient: Ambient, id: string, check: DoctorCheck): Promise<DoctorRow> {
  try {
    return await check();
  } catch (error) {
    ambient.log.warn('doctor.check-failed', { check: id, error });
    return { id, state: 'error', finding: 'check-failed' };
  }
}
