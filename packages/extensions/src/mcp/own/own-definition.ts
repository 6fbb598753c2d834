import * as z from 'zod';
import { PROGRAM_GRANTS, type ProgramGrant, type ServerClient } from '../known-server.ts';
import { isSafeAddress } from '../mcp-file.ts';
import { isPlaceholder } from '../placeholders.ts';

const text = z
  .string()
  .max(8_192)
  .refine((value) => !/[\0\r\n]/.test(value), 'one line');
const count = (most: number) => (all: object) => Object.keys(all).length <= most;

const path = text.refine((given) => /^(?:\/|[A-Za-z]:[\\/]|\$\{)/.test(given), 'an absolute path');
const address = text.refine((given) => isPlaceholder(given) || isSafeAddress(given), 'an address');

/** What each way of getting tokens needs beside the id of the client. */
const NEEDED = {
  'client-credentials': [['issuer'], ['secret', 'keyFile']],
  workload: [['issuer'], ['tokenFile']],
  company: [['issuer'], ['tokenFile'], ['identityTokenUrl'], ['identityId']],
} as const satisfies Record<ProgramGrant, readonly (readonly (keyof ServerClient)[])[]>;

const client = z
  .strictObject({
    id: text.min(1),
    secret: text.min(1).optional(),
    grant: z.enum(PROGRAM_GRANTS).optional(),
    issuer: address.optional(),
    keyFile: path.optional(),
    tokenFile: path.optional(),
    identityTokenUrl: address.optional(),
    identityId: text.min(1).optional(),
    identitySecret: text.min(1).optional(),
  })
  .superRefine((given, context) => {
    const needed = given.grant ? NEEDED[given.grant] : [];
    for (const names of needed) {
      if (names.some((name) => given[name] !== undefined)) continue;
      context.addIssue({ code: 'custom', path: [names[0]], message: 'missing' });
    }
  });

/** A server of the user's own. */
export const ownDefinition = z
  .strictObject({
    command: z.string().trim().min(1).max(4_096).optional(),
    args: z
      .array(
        z
          .string()
          .max(8_192)
          .refine((value) => !value.includes('\0')),
      )
      .max(128),
    workingFolder: z
      .string()
      .max(4_096)
      .refine((path) => /^(?:\/|[A-Za-z]:[\\/]|\$\{)/.test(path) && !path.includes('\0'), 'an absolute path')
      .optional(),
    url: z
      .string()
      .trim()
      .max(2_048)
      .refine((address) => isPlaceholder(address) || isSafeAddress(address), 'https, or http on this computer')
      .optional(),
    environment: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/), text).refine(count(64)),
    headers: z.record(z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/), text).refine(count(64)),
    client: client.optional(),
  })
  .refine(({ client, url }) => client === undefined || url !== undefined, {
    error: 'only for an address',
    path: ['client'],
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: 'either a command or an address',
    path: ['command'],
  });

export const secretValues = z
  .record(
    z.string().regex(/^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/),
    z
      .string()
      .min(1)
      .max(8_192)
      .refine((value) => !/[\0\r\n]/.test(value)),
  )
  .refine(count(64));

export const storedServer = z.object({
  version: z.literal(1),
  folder: z.string().nullable(),
  definition: ownDefinition,
  /** Names of the values in the key store. */
  secrets: z.array(z.string()),
});
