import type { Candidate, ImportFile, LogLine, ServerRow } from '@fucina/host';
import { MCP_FAILURES } from '@fucina/shared';
import * as z from 'zod';
import { encoded, renamed } from '../http/renamed.ts';
import { iso, text } from './common.ts';
import { ownScope, placeFields, placeNames, SCOPES, scope, targetNames } from './extension-place.ts';
import { mcpCallAnswer, mcpCalls } from './mcp-calls.ts';
import { clientOnWire, mcpClient, mcpClientShown } from './mcp-client.ts';

export const mcpServerParams = z.strictObject({ serverId: text.max(200) });

const line = z.string().max(16_384);
const definitionFields = {
  comando: line.optional(),
  argomenti: z.array(line).max(256),
  cartellaDiLavoro: line.optional(),
  url: line.optional(),
  ambiente: z.record(z.string(), line),
  intestazioni: z.record(z.string(), line),
  client: mcpClient.optional(),
};
const definitionNames = {
  comando: 'command',
  argomenti: 'args',
  cartellaDiLavoro: 'workingFolder',
  ambiente: 'environment',
  intestazioni: 'headers',
} as const;

const saved = {
  ...placeFields,
  ambito: ownScope,
  definizione: renamed(z.strictObject(definitionFields), definitionNames),
  segreti: z.record(z.string(), line).optional(),
  calls: mcpCallAnswer.optional(),
};
const savedNames = { ...placeNames, ambito: 'scope', definizione: 'definition', segreti: 'secrets' } as const;

export const newMcpServer = renamed(z.strictObject({ nome: text.max(200), ...saved }), { ...savedNames, nome: 'id' });
export const mcpServerChange = renamed(z.strictObject(saved), savedNames);

export const mcpChoice = renamed(
  z.strictObject({
    ...placeFields,
    ambito: scope,
    attivo: z.boolean().optional(),
    strumentiSpenti: z.array(text.max(256)).max(1_024).optional(),
  }),
  { ...placeNames, ambito: 'scope', attivo: 'isOn', strumentiSpenti: 'offTools' },
);

export const mcpTrust = renamed(
  z.strictObject({ ...placeFields, ambito: scope, calls: mcpCallAnswer.optional() }),
  targetNames,
);

const failure = renamed(
  z.object({
    motivo: z.enum(MCP_FAILURES),
    dettaglio: z.string().nullable(),
  }),
  { motivo: 'reason', dettaglio: 'detail' },
);

const definition = z.object({
  ...definitionFields,
  client: mcpClientShown.optional(),
});
type WireDefinition = z.output<typeof definition>;
const definitionOnWire = ({
  command,
  args,
  workingFolder,
  url,
  environment,
  headers,
  client,
}: ServerRow['definition']): WireDefinition => ({
  ...(command !== undefined && { comando: command }),
  argomenti: [...args],
  ...(workingFolder !== undefined && { cartellaDiLavoro: workingFolder }),
  ...(url !== undefined && { url }),
  ambiente: { ...environment },
  intestazioni: { ...headers },
  ...(client && { client: clientOnWire(client) }),
});

const STATES = {
  off: 'spento',
  untrusted: 'non-fidato',
  idle: 'fermo',
  starting: 'in-avvio',
  connected: 'connesso',
  failed: 'fallito',
} as const;

const SIGN_INS = { none: 'nessuno', needed: 'richiesto', 'signed-in': 'attivo', more: 'altri-permessi' } as const;

export const mcpServer = encoded(
  z
    .object({
      nome: z.string(),
      ambito: z.enum(['ovunque', 'progetto', 'file']),
      cartella: z.string().nullable(),
      definizione: definition,
      consentiti: z.array(z.string()).nullable(),
      segreti: z.array(z.object({ nome: z.string(), salvato: z.boolean() })),
      attivo: z.boolean(),
      strumentiSpenti: z.array(z.string()),
      stato: z.enum(['spento', 'non-fidato', 'fermo', 'in-avvio', 'connesso', 'fallito']),
      errore: failure.nullable(),
      accesso: z.enum(['nessuno', 'richiesto', 'attivo', 'altri-permessi']),
      strumenti: z.array(z.object({ nome: z.string(), descrizione: z.string() })).nullable(),
      sostituito: z.boolean(),
      calls: mcpCalls.nullable(),
    })
    .meta({ id: 'ConfiguredMcpServer' }),
  (row: ServerRow) => ({
    nome: row.id,
    ambito: SCOPES[row.scope],
    cartella: row.folder,
    definizione: definitionOnWire(row.definition),
    consentiti: row.allowlist && [...row.allowlist],
    segreti: row.secrets.map(({ name, isStored }) => ({ nome: name, salvato: isStored })),
    attivo: row.isOn,
    strumentiSpenti: [...row.offTools],
    stato: STATES[row.state],
    errore: row.failure,
    accesso: SIGN_INS[row.signIn],
    strumenti: row.tools && row.tools.map(({ name, description }) => ({ nome: name, descrizione: description })),
    sostituito: row.isReplaced,
    calls: row.calls && { answer: row.calls.answer, allowedTools: [...row.calls.allowedTools] },
  }),
);

export const mcpServerList = renamed(z.object({ server: z.array(mcpServer), errore: z.string().nullable() }), {
  server: 'rows',
  errore: 'problem',
});

export const mcpSignIn = renamed(z.object({ indirizzo: z.string(), scadeTraMs: z.int() }).meta({ id: 'McpSignIn' }), {
  indirizzo: 'address',
  scadeTraMs: 'expiresInMs',
});

/** An authorization server may add fields of its own. */
export const mcpSignInReturn = z.looseObject({
  state: z.string().optional(),
  code: z.string().optional(),
  iss: z.string().optional(),
  error: z.string().optional(),
});

export const mcpLogLine = encoded(
  z
    .object({ alle: z.string(), tipo: z.enum(['evento', 'uscita', 'messaggio', 'errore']), testo: z.string() })
    .meta({ id: 'McpLogLine' }),
  ({ at, kind, text: said }: LogLine) => ({ alle: iso(at), tipo: LINES[kind], testo: said }),
);
const LINES = { event: 'evento', output: 'uscita', message: 'messaggio', error: 'errore' } as const;

const candidateFields = z
  .object({
    nome: z.string(),
    id: z.string(),
    definizione: definition.nullable(),
    problema: z.string().nullable(),
    segreti: z.array(z.string()),
    mancanti: z.array(z.string()),
    note: z.array(z.literal('solo-alcuni-strumenti')),
    attivo: z.boolean(),
    impronta: z.string(),
  })
  .meta({ id: 'McpCandidate' });

function candidateOnWire(one: Candidate): z.output<typeof candidateFields> {
  return {
    nome: one.name,
    id: one.id,
    definizione: one.definition && definitionOnWire(one.definition),
    problema: one.problem,
    segreti: [...one.secrets],
    mancanti: [...one.missing],
    note: one.notes.map(() => 'solo-alcuni-strumenti'),
    attivo: one.isOn,
    impronta: one.fingerprint,
  };
}

export const mcpCandidate = encoded(candidateFields, candidateOnWire);

export const mcpImportFile = encoded(
  z
    .object({
      id: z.string(),
      programma: z.enum(['mcp-json', 'claude-code', 'claude-desktop', 'cursor', 'vscode', 'codex']),
      percorso: z.string(),
      delProgetto: z.boolean(),
      errore: z.string().nullable(),
      server: z.array(candidateFields),
    })
    .meta({ id: 'McpImportFile' }),
  (file: ImportFile) => ({
    id: file.id,
    programma: file.program,
    percorso: file.path,
    delProgetto: file.isOfProject,
    errore: file.problem,
    server: file.candidates.map(candidateOnWire),
  }),
);

const pasted = z
  .string()
  .min(1)
  .max(512 * 1_024);
export const mcpText = renamed(z.strictObject({ testo: pasted }), { testo: 'text' });

const chosen = z
  .array(
    renamed(z.strictObject({ nome: text.max(1_000), impronta: text.max(100) }), {
      nome: 'name',
      impronta: 'fingerprint',
    }),
  )
  .min(1)
  .max(128);
const importNames = { ...placeNames, ambito: 'scope', scelti: 'chosen' } as const;
/** From a file, by its id, or from a pasted text. */
export const mcpImport = z.union([
  renamed(z.strictObject({ ...placeFields, ambito: ownScope, scelti: chosen, fonte: text.max(100) }), {
    ...importNames,
    fonte: 'sourceId',
  }),
  renamed(z.strictObject({ ...placeFields, ambito: ownScope, scelti: chosen, testo: pasted }), {
    ...importNames,
    testo: 'text',
  }),
]);
