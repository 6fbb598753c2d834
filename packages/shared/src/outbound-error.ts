import { systemCode } from './errors.ts';

export type OutboundProblem =
  | 'refused'
  | 'unreachable'
  | 'dns'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'aborted'
  | 'forbidden-address';

const OUTBOUND_ERROR = Symbol.for('fucina.OutboundError');

/** Why a request failed. Contains no header or body, and of the address only scheme, host and port. */
export class OutboundError extends Error {
  /** Checks a mark instead of the class: one process may load two bundles, each with its own copy of this class. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && OUTBOUND_ERROR in value;
  }

  readonly [OUTBOUND_ERROR] = true;
  override readonly name = 'OutboundError';
  readonly problem: OutboundProblem;
  /** True when the server may have received the request and acted on it. */
  readonly requestSent: boolean;

  constructor(problem: OutboundProblem, where: { origin: string; requestSent: boolean; cause?: unknown }) {
    super(`${problem}: ${where.origin}`, { cause: where.cause });
    this.problem = problem;
    this.requestSent = where.requestSent;
  }
}

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME']);
const TOO_LARGE_CODES = new Set(['UND_ERR_HEADERS_OVERFLOW', 'HPE_HEADER_OVERFLOW', 'UND_ERR_RES_EXCEEDED_MAX_SIZE']);
const TIMEOUT_CODES = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
]);

/** Maps an error of the driver or the system to a problem. */
export function problemOf(error: unknown): OutboundProblem {
  const code = systemCode(error) ?? '';
  if (code === 'ECONNREFUSED') return 'refused';
  if (DNS_CODES.has(code)) return 'dns';
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (TOO_LARGE_CODES.has(code)) return 'too-large';
  return 'unreachable';
}
