import { allowedBy } from '@fucina/shared';
import type { Document } from 'yaml';
import * as z from 'zod';

/** Of SKILL.md. */
export const MAX_SKILL_BYTES = 64 * 1024;

const front = z.object({ name: z.string().trim().min(1).max(64), description: z.string().trim().min(1).max(1_024) });

/** What SKILL.md says: `name` and `description` between two lines of `---`, then the instructions. */
export interface SkillText {
  name: string;
  description: string;
  instructions: string;
}

const MATTER = /^---\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

export async function parseSkill(text: string): Promise<SkillText | { problem: string }> {
  const found = MATTER.exec(text);
  if (!found) return { problem: 'it does not begin with name and description between two lines of ---' };
  // In a bundle the whole module is its default export.
  const { default: yaml } = await import('yaml');
  const lineCounter = new yaml.LineCounter();
  const document = yaml.parseDocument(found[1] ?? '', { lineCounter, prettyErrors: false });
  // The first line is `---`.
  const place = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `SKILL.md:${line + 1}:${col}`;
  };
  const [error] = document.errors;
  if (error) return { problem: `${place(error.pos[0])}: ${error.message}` };
  const parsed = front.safeParse(contentOf(document));
  if (parsed.success) return { ...parsed.data, instructions: text.slice(found[0].length).replace(/^\r?\n/, '') };
  const [issue] = parsed.error.issues;
  if (!issue) return { problem: 'name or description' };
  const node = document.getIn(issue.path, true);
  const offset = yaml.isNode(node) ? (node.range?.[0] ?? 0) : 0;
  return { problem: `${place(offset)}: ${[...issue.path, allowedBy(issue)].join(': ')}` };
}

/** Undefined where it uses aliases, which could grow without limit. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return undefined;
  }
}

/** SKILL.md with this text; of an earlier version the other fields of its head stay. */
export async function formatSkill({ name, description, instructions }: SkillText, earlier = ''): Promise<string> {
  const { default: yaml } = await import('yaml');
  const document = yaml.parseDocument(MATTER.exec(earlier)?.[1] ?? '{}');
  const head = yaml.isMap(document.contents) && document.errors.length === 0 ? document : yaml.parseDocument('{}');
  if (yaml.isMap(head.contents)) head.contents.flow = false;
  head.set('name', name);
  head.set('description', description);
  return `---\n${head.toString({ lineWidth: 0 })}---\n\n${instructions.trimEnd()}\n`;
}
