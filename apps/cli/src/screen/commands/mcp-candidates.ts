import type { Candidate } from '../input/completion/candidate.ts';
import { fileCandidates } from '../input/completion/files.ts';
import type { Workbench } from '../workbench.ts';

const SERVER_NAME = /^[\w.-]*$/;
const OF_SERVER = /^[A-Za-z0-9][\w.-]*:/;

type Place = Pick<Workbench, 'services' | 'dir'>;

/** Files of the project and MCP servers by name; after `@server:` the resources of the server. */
export async function mentionCandidates(query: string, workbench: Place): Promise<Candidate[]> {
  const isOpen = OF_SERVER.test(query);
  const [files, resources] = await Promise.all([
    fileCandidates(query, workbench),
    isOpen || SERVER_NAME.test(query) ? suggested(`@${query}`, workbench) : [],
  ]);
  return isOpen && resources.length > 0 ? resources : [...files, ...resources];
}

/** The values of the argument of a server's prompt that is typed last. */
export async function promptCandidates(command: string, typed: string, workbench: Place): Promise<Candidate[]> {
  const before = `/${command} `;
  const found = await suggested(`${before}${typed}`, workbench);
  return found.map((each) => ({ ...each, text: each.text.slice(before.length) }));
}

/** A server that fails has no suggestions; its log says why. */
async function suggested(typed: string, { services, dir }: Place): Promise<Candidate[]> {
  const found = await services.mcp.suggest({ path: dir }, typed).catch(() => []);
  return found.map(({ text, name, detail, isOpen }) => ({ text: isOpen ? text : `${text} `, label: name, detail }));
}
