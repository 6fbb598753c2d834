import * as z from 'zod';

const command = z.string().nullable();

/** English on the wire: it belongs to none of the document's operations. */
export const gitPrograms = z
  .object({
    filters: z.array(
      z.object({
        name: z.string(),
        clean: command,
        smudge: command,
        process: command,
        isRequired: z.boolean(),
        fingerprint: z.string(),
        isTrusted: z.boolean(),
      }),
    ),
    hooks: z.array(
      z.object({
        name: z.string(),
        files: z.array(z.object({ path: z.string(), text: z.string(), isCut: z.boolean() })),
        fingerprint: z.string(),
        runs: z.enum(['sandboxed', 'outside']).nullable(),
        hasTimeLimit: z.boolean(),
      }),
    ),
    notCompared: z.array(z.string()),
  })
  .meta({ id: 'GitPrograms' });

export const hookChoice = z.strictObject({
  name: z.string().max(100),
  fingerprint: z.string().length(64),
  runs: z.enum(['sandboxed', 'outside', 'outside-once', 'skip-once', 'never']),
  hasTimeLimit: z.boolean().optional(),
});

export const gitHookRuns = z
  .object({
    hookRuns: z.array(
      z.object({
        hook: z.string(),
        state: z.enum(['running', 'succeeded', 'failed', 'timed-out', 'stopped']),
        runs: z.enum(['sandboxed', 'outside']),
        output: z.string(),
        isCut: z.boolean(),
        exitCode: z.number().int().nullable(),
        refused: z.array(
          z.object({ kind: z.enum(['network', 'read', 'write']), subject: z.string(), rule: z.string().nullable() }),
        ),
        isWithoutSandbox: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'GitHookRuns' });
