import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import type { Environment } from './child-environment.ts';
import { OutboundError } from './outbound-error.ts';

/** A file of the environment with certificates of authorities that the user trusts. */
export interface CertificateFile {
  variable: string;
  path: string;
  /** PEM, one item each; empty when the file cannot be read or contains none. */
  certificates: readonly string[];
}

/** Node itself reads the first when it starts; the second is what most other programs read. */
const VARIABLES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'] as const;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The files that NODE_EXTRA_CA_CERTS and SSL_CERT_FILE name. */
export async function readCertificateFiles(environment: Environment): Promise<CertificateFile[]> {
  const files = VARIABLES.map(async (variable) => {
    const path = environment[variable]?.trim();
    return path ? [{ variable, path, certificates: await certificatesIn(path) }] : [];
  });
  return (await Promise.all(files)).flat();
}

async function certificatesIn(path: string): Promise<string[]> {
  const text = await textOf(path);
  return [...(text ?? '').matchAll(CERTIFICATE)].map(([pem]) => pem).filter(isCertificate);
}

/** Undefined for any file that cannot be read: the readiness report names it. */
async function textOf(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== null;
  } catch {
    // One damaged certificate does not make the others useless.
    return false;
  }
}

/** What TLS uses for connections, one context each: `client` also shows the client certificate. */
export interface Trust {
  /** Undefined: what Node uses by default, which includes NODE_EXTRA_CA_CERTS. */
  plain: SecureContext | undefined;
  client: SecureContext | undefined;
  /** Set when FUCINA_CLIENT_CERT and FUCINA_CLIENT_KEY are not both files that fit together. */
  problem: 'client-not-usable' | undefined;
}

/** The authorities and the client certificate of the environment. */
export async function readTrust(environment: Environment): Promise<Trust> {
  const files = await readCertificateFiles(environment);
  const isAdded = files.some(({ variable, certificates }) => variable === 'SSL_CERT_FILE' && certificates.length > 0);
  // A list of authorities replaces the default ones: it must contain them.
  const ca = isAdded ? [...rootCertificates, ...files.flatMap(({ certificates }) => certificates)] : undefined;
  const plain = ca && createSecureContext({ ca });
  const identity = await readClientIdentity(environment);
  if (identity === undefined) return { plain, client: plain, problem: undefined };
  try {
    if (!identity.cert || !identity.key) return { plain, client: undefined, problem: 'client-not-usable' };
    return { plain, client: createSecureContext({ ...identity, ...(ca && { ca }) }), problem: undefined };
  } catch {
    // Not PEM, or the key of another certificate.
    return { plain, client: undefined, problem: 'client-not-usable' };
  }
}

/** Whether the client certificate of the environment can be used; undefined when there is none. */
export async function isClientCertificateUsable(environment: Environment): Promise<boolean | undefined> {
  const identity = await readClientIdentity(environment);
  return identity && (await readTrust(environment)).problem === undefined;
}

async function readClientIdentity(
  environment: Environment,
): Promise<{ cert: string | undefined; key: string | undefined } | undefined> {
  const { FUCINA_CLIENT_CERT: cert, FUCINA_CLIENT_KEY: key } = environment;
  if (!cert && !key) return undefined;
  return { cert: cert && (await textOf(cert)), key: key && (await textOf(key)) };
}

/** The error of a request that would need an unusable client certificate. */
export function clientCertificateError(origin: string): OutboundError {
  return new OutboundError('certificate', { origin, requestSent: false, reason: 'client-not-usable' });
}
