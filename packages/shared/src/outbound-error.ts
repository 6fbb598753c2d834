import { systemCode } from './errors.ts';

export type OutboundProblem =
  | 'refused'
  | 'unreachable'
  | 'dns'
  | 'timeout'
  | 'too-large'
  | 'redirect'
  | 'aborted'
  | 'forbidden-address'
  /** The proxy cannot be used or refused the connection. */
  | 'proxy'
  /** The certificate of the server was not accepted. */
  | 'certificate';

/** More about a problem of the kinds `proxy` and `certificate`. */
export interface OutboundFacts {
  /** Scheme, host and port of the proxy, or the variable that does not contain a usable one. */
  proxy?: string | undefined;
  /** A status of the proxy as `status-407`, the problem on the way to it, or what is wrong with a certificate. */
  reason?: string | undefined;
}

const OUTBOUND_ERROR = Symbol.for('fucina.OutboundError');

interface Failed extends OutboundFacts {
  origin: string;
  requestSent: boolean;
  cause?: unknown;
}

/** Why a request failed. Contains no header or body, and of addresses only scheme, host and port. */
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

  /** Scheme, host and port of the address. */
  readonly origin: string;
  readonly facts: OutboundFacts;

  constructor(problem: OutboundProblem, { origin, requestSent, cause, proxy, reason }: Failed) {
    super(`${problem}: ${[origin, proxy, reason].filter(Boolean).join(', ')}`, { cause });
    this.problem = problem;
    this.origin = origin;
    this.requestSent = requestSent;
    this.facts = { proxy, reason };
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

const CERTIFICATE_REASONS: Readonly<Record<string, string>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'unknown-issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'unknown-issuer',
  SELF_SIGNED_CERT_IN_CHAIN: 'unknown-issuer',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'unknown-issuer',
  CERT_UNTRUSTED: 'unknown-issuer',
  CERT_HAS_EXPIRED: 'expired',
  CERT_NOT_YET_VALID: 'not-yet-valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'wrong-name',
  CERT_REVOKED: 'revoked',
};

/** What is wrong with a certificate; undefined for any other error. */
export function certificateReason(error: unknown): string | undefined {
  return CERTIFICATE_REASONS[systemCode(error) ?? ''];
}

/** Maps an error of the driver or the system to a problem. */
export function problemOf(error: unknown): OutboundProblem {
  const code = systemCode(error) ?? '';
  if (code in CERTIFICATE_REASONS) return 'certificate';
  if (code === 'ECONNREFUSED') return 'refused';
  if (DNS_CODES.has(code)) return 'dns';
  if (TIMEOUT_CODES.has(code)) return 'timeout';
  if (TOO_LARGE_CODES.has(code)) return 'too-large';
  return 'unreachable';
}

/** One sentence about an error of the kind `proxy`, in ASCII. */
export function proxySentence({ facts: { proxy, reason = '' } }: OutboundError): string {
  if (reason === 'not-usable') return `${proxy} does not contain the http or https address of a proxy.`;
  const status = /^status-(\d+)$/.exec(reason)?.[1];
  if (status === '407') return `The proxy ${proxy} requires a user name and a password in its address (status 407).`;
  return status
    ? `The proxy ${proxy} refused the connection (status ${status}).`
    : `No connection to the proxy ${proxy}: ${reason}.`;
}
