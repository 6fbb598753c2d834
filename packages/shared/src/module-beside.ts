/**
 * The module `name` in the folder of the caller, to be started in a thread or a process of its own: a `.ts` file when
 * the caller runs from source, a `.js` file in a build. `callerUrl` is the caller's `import.meta.url`.
 *
 * scripts/bundling.mjs finds these calls in the sources to know which modules a bundle needs as files: pass the name as a
 * literal, in single quotes, after `import.meta.url`.
 */
export function moduleBeside(callerUrl: string, name: string): URL {
  return new URL(`./${name}${callerUrl.endsWith('.ts') ? '.ts' : '.js'}`, callerUrl);
}
