/** The sources of a program: a file, or its text with the folder that its imports are relative to. */
export type ProgramSource = { file: string } | { text: string; folder: string };

/** One file that Node runs anywhere: for programs of tests that another user or a killed process starts. */
export async function bundleProgram(source: ProgramSource, outfile: string): Promise<void> {
  const { build } = await import('esbuild');
  await build({
    ...('file' in source
      ? { entryPoints: [source.file] }
      : { stdin: { contents: source.text, resolveDir: source.folder } }),
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@fucina/source'],
    external: ['better-sqlite3'],
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'error',
  });
}
