import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';

/** A certificate with its key, for tests. */
export interface TestCertificate {
  /** PEM. */
  cert: string;
  /** PEM. */
  key: string;
}

export interface TestAuthority extends TestCertificate {
  /** A certificate for a host name, signed by this authority. */
  issue(host: string, valid?: Validity): TestCertificate;
}

interface Validity {
  from: Date;
  to: Date;
}

const LONG: Validity = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2048-01-01T00:00:00Z') };
const SHA256_WITH_ECDSA = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const BASIC_CONSTRAINTS = '0603551d13';
const ALTERNATIVE_NAMES = '0603551d11';

/** A new private certificate authority. */
export function testAuthority(name = 'Test authority'): TestAuthority {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = { name, key: pair.privateKey };
  const own = certificate({ name, publicKey: pair.publicKey, valid: LONG, isAuthority: true }, issuer);
  return {
    ...own,
    key: pem(pair.privateKey),
    issue(host, valid = LONG) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      return { ...certificate({ name: host, publicKey, valid, isAuthority: false }, issuer), key: pem(privateKey) };
    },
  };
}

interface Subject {
  name: string;
  publicKey: KeyObject;
  valid: Validity;
  isAuthority: boolean;
}

function certificate(subject: Subject, issuer: { name: string; key: KeyObject }): { cert: string } {
  const algorithm = sequence(hex(SHA256_WITH_ECDSA));
  const body = sequence(
    tagged(0xa0, tagged(0x02, hex('02'))),
    tagged(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    algorithm,
    nameOf(issuer.name),
    sequence(time(subject.valid.from), time(subject.valid.to)),
    nameOf(subject.name),
    subject.publicKey.export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(extension(subject))),
  );
  const signature = createSign('sha256').update(body).sign(issuer.key);
  const der = sequence(body, algorithm, tagged(0x03, Buffer.concat([hex('00'), signature])));
  return { cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n` };
}

function extension({ name, isAuthority }: Subject): Buffer {
  if (isAuthority) return sequence(hex(BASIC_CONSTRAINTS), hex('0101ff'), tagged(0x04, sequence(hex('0101ff'))));
  return sequence(hex(ALTERNATIVE_NAMES), tagged(0x04, sequence(tagged(0x82, Buffer.from(name)))));
}

function nameOf(name: string): Buffer {
  return sequence(tagged(0x31, sequence(hex(COMMON_NAME), tagged(0x0c, Buffer.from(name)))));
}

/** UTCTime: years up to 2049. */
function time(at: Date): Buffer {
  return tagged(0x17, Buffer.from(`${at.toISOString().replaceAll(/\D/g, '').slice(2, 14)}Z`));
}

function sequence(...parts: Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}
