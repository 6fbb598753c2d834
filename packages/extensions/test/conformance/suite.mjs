// Loads the conformance suite also in Node 20, and without its GitHub client: its command `tier-check` needs
// `fs.globSync` and Octokit, and no scenario does.
import { register } from 'node:module';
import { constants, setPriority } from 'node:os';

const text = (source) => `data:text/javascript,${encodeURIComponent(source)}`;
const fs = text(`export * from 'node:fs'; export const globSync = () => { throw new Error('not here'); };`);
const octokit = text('export class Octokit {}');
const hooks = `
  const stand = { fs: ${JSON.stringify(fs)}, '@octokit/rest': ${JSON.stringify(octokit)} };
  export const resolve = (name, context, next) =>
    stand[name] && context.parentURL?.includes('/conformance/dist/')
      ? { url: stand[name], shortCircuit: true }
      : next(name, context);
`;
// It starts a client for each scenario, all at once: tests that run beside it come first.
setPriority(constants.priority.PRIORITY_LOW);
register(text(hooks));
await import('@modelcontextprotocol/conformance/dist/index.js');
