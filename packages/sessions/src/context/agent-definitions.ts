import { listInside, PathError, readFileInside, realFolder } from '@fucina/shared';
import { type Place, parseFrontMatter } from '../front-matter.ts';
import type { AgentTools } from '../state/session.ts';
import { agentTools } from './agent-tools.ts';
import type { InstructionSource, LeftOutReason } from './instruction-source.ts';

/** A kind of sub-agent that the project defines in a Markdown file: front matter, then its instructions. */
export interface AgentDefinition {
  name: string;
  description: string;
  /** Relative to the folder. */
  path: string;
  sizeBytes: number;
  prompt: string;
  tools: AgentTools;
  /** Tools that are not known here, so that the agent does not have them. */
  unknownTools: readonly string[];
  /** As it is written there; undefined: the session's. */
  model: string | undefined;
}

export interface AgentDefinitions {
  agents: AgentDefinition[];
  /** Files that define none, and why. */
  leftOut: InstructionSource[];
}

/** By precedence; of one name the first is used. */
const PLACES = ['.svc/agents', '.claude/agents'] as const;
const NAME = /^[A-Za-z][\w-]{0,63}$/;
const MAX_BYTES = 64 * 1024;
const MAX_FILES = 50;
const MAX_DEPTH = 3;
const DESCRIPTION_LENGTH = 300;

/** Links out of the folder are not followed. One file that is wrong hides no other. */
export async function readAgentDefinitions(folder: string): Promise<AgentDefinitions> {
  const root = await realFolder(folder).catch(absent);
  const found: AgentDefinitions = { agents: [], leftOut: [] };
  if (root === undefined) return found;
  for (const place of PLACES) {
    for (const path of await filesIn(root, place)) {
      if (found.agents.length + found.leftOut.length >= MAX_FILES) leaveOut(found, { path, sizeBytes: 0 }, 'too-many');
      else await readInto(found, root, path);
    }
  }
  return found;
}

async function readInto(found: AgentDefinitions, root: string, path: string): Promise<void> {
  const read = await readDefinition(root, path);
  if ('reason' in read) leaveOut(found, { ...read, path }, read.reason);
  else if (found.agents.some(({ name }) => name === read.name))
    leaveOut(found, { ...read, place: read.namePlace }, 'same-name');
  else found.agents.push(read);
}

type FileFacts = Pick<InstructionSource, 'path' | 'sizeBytes' | 'place'>;

function leaveOut({ leftOut }: AgentDefinitions, { path, sizeBytes, place }: FileFacts, reason: LeftOutReason): void {
  leftOut.push({ path, sizeBytes, state: 'left-out', reason, place, ignored: [] });
}

async function readDefinition(
  root: string,
  path: string,
): Promise<(AgentDefinition & { namePlace: Place }) | { reason: LeftOutReason; sizeBytes: number; place?: Place }> {
  let bytes: Buffer;
  try {
    bytes = (await readFileInside(root, path, MAX_BYTES)).bytes;
  } catch (error) {
    if (!(error instanceof PathError)) throw error;
    return { reason: REASONS[error.problem] ?? 'not-readable', sizeBytes: 0 };
  }
  const sizeBytes = bytes.length;
  if (bytes.includes(0)) return { reason: 'not-text', sizeBytes };
  const front = parseFrontMatter(bytes.toString('utf8'));
  const name = front.field('name') || nameOf(path);
  const description = [...(front.field('description') ?? '').replaceAll(/\s+/g, ' ').trim()];
  const prompt = front.body.trim();
  const namePlace = front.placeOf('name');
  if (front.isUnclosed) return { reason: 'no-end', sizeBytes, place: namePlace };
  if (!NAME.test(name)) return { reason: 'invalid-name', sizeBytes, place: namePlace };
  if (description.length === 0) return { reason: 'no-description', sizeBytes, place: front.placeOf('description') };
  if (prompt === '') return { reason: 'empty', sizeBytes };
  const { tools, unknown: unknownTools } = agentTools(front);
  const model = front.field('model') || undefined;
  return {
    name,
    description: description.slice(0, DESCRIPTION_LENGTH).join(''),
    path,
    sizeBytes,
    namePlace,
    prompt,
    tools,
    unknownTools,
    model: model === 'inherit' ? undefined : model,
  };
}

const REASONS: Partial<Record<PathError['problem'], LeftOutReason>> = { outside: 'outside', 'too-large': 'too-long' };

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1, -'.md'.length);

/** Of a folder and those in it, by name; more than are read are not listed either. */
async function filesIn(root: string, place: string): Promise<string[]> {
  const files: string[] = [];
  const folders = [place];
  const depthOf = (path: string): number => path.split('/').length - place.split('/').length;
  for (let at = 0; at < Math.min(folders.length, MAX_FILES); at += 1) {
    const folder = folders[at] ?? '';
    const listing = await listInside(root, folder).catch(absent);
    for (const { name, isFolder } of listing?.entries ?? []) {
      const path = `${folder}/${name}`;
      if (isFolder && depthOf(path) < MAX_DEPTH) folders.push(path);
      if (!isFolder && name.endsWith('.md')) files.push(path);
    }
  }
  return files.sort().slice(0, 2 * MAX_FILES);
}

function absent(error: unknown): undefined {
  if (!(error instanceof PathError)) throw error;
  return undefined;
}
