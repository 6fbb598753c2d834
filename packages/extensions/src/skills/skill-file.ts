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
  try {
    // In a bundle the whole module is its default export.
    const { default: yaml } = await import('yaml');
    const parsed = front.safeParse(yaml.parse(found[1] ?? '', { maxAliasCount: 0 }));
    if (!parsed.success) return { problem: parsed.error.issues[0]?.message ?? 'name or description' };
    return { ...parsed.data, instructions: text.slice(found[0].length).replace(/^\r?\n/, '') };
  } catch (error) {
    return { problem: (error as Error).message.split('\n')[0] ?? 'not YAML' };
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
