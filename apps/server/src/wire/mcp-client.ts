import type { ServerRow } from '@fucina/host';
import * as z from 'zod';
import { mapped, renamed } from '../http/renamed.ts';
import { text } from './common.ts';

const line = z.string().max(16_384);
const GRANTS = { credenziali: 'client-credentials', carico: 'workload', azienda: 'company' } as const;
const WIRE_GRANTS = { 'client-credentials': 'credenziali', workload: 'carico', company: 'azienda' } as const;

const texts = {
  segreto: line.optional(),
  emittente: line.optional(),
  fileChiave: line.optional(),
  fileToken: line.optional(),
  urlIdentita: line.optional(),
  idIdentita: line.optional(),
  segretoIdentita: line.optional(),
};

/** The OAuth client with which a server is used, and how it gets its tokens. */
export const mcpClient = renamed(z.strictObject({ id: text.max(2_048), modo: mapped(GRANTS).optional(), ...texts }), {
  modo: 'grant',
  segreto: 'secret',
  emittente: 'issuer',
  fileChiave: 'keyFile',
  fileToken: 'tokenFile',
  urlIdentita: 'identityTokenUrl',
  idIdentita: 'identityId',
  segretoIdentita: 'identitySecret',
});

export const mcpClientShown = z.object({
  id: z.string(),
  modo: z.enum(['credenziali', 'carico', 'azienda']).optional(),
  ...texts,
});

export function clientOnWire(client: NonNullable<ServerRow['definition']['client']>): z.output<typeof mcpClientShown> {
  const { id, grant, secret, issuer, keyFile, tokenFile, identityTokenUrl, identityId, identitySecret } = client;
  return {
    id,
    modo: grant && WIRE_GRANTS[grant],
    segreto: secret,
    emittente: issuer,
    fileChiave: keyFile,
    fileToken: tokenFile,
    urlIdentita: identityTokenUrl,
    idIdentita: identityId,
    segretoIdentita: identitySecret,
  };
}
