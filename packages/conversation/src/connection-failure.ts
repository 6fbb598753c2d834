const CODES: ReadonlySet<string> = new Set(['PROXY_FAILED', 'CERTIFICATE_REJECTED']);

/** Whether a turn ended because of a proxy or a certificate: the message then names it, so it is shown as well. */
export function isConnectionFailure(code: string | undefined): boolean {
  return code !== undefined && CODES.has(code);
}
