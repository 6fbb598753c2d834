import { readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { type Environment, statsAt } from '@fucina/shared';
import { type Mount, shown } from './mounts.ts';

/** Variables with a file of authorities that programs trust; commands get them, too. */
const VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'PIP_CERT'];
const MAX_BYTES = 2 * 1024 * 1024;

/**
 * The files of certificates that the environment names, often in the home: without them, commands would trust no server
 * behind a proxy that inspects TLS. A file that also holds a private key stays hidden.
 */
export function certificateFiles(environment: Environment): Mount[] {
  const paths = VARIABLES.flatMap((name) => environment[name] ?? []).filter((path) => isAbsolute(path));
  return shown([...new Set(paths)].filter(isCertificates));
}

function isCertificates(path: string): boolean {
  const stats = statsAt(path);
  if (!stats?.isFile() || stats.size > MAX_BYTES) return false;
  const text = textOf(path);
  return text.includes('BEGIN CERTIFICATE') && !text.includes('PRIVATE KEY');
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // not readable: nothing to show
  }
}
