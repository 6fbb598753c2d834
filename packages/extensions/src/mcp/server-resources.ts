import type { Client } from '@modelcontextprotocol/client';

/** What a server offers beside its tools: resources and prompts. */
export interface ServerResources {
  list(signal: AbortSignal): Promise<string>;
  /** The text of a resource; binary content is only named. */
  resource(uri: string, signal: AbortSignal): Promise<string>;
  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<string>;
}

const TIMEOUT_MS = 60_000;
const MAX_ROWS = 256;
const MAX_PAGES = 64;
const MAX_DESCRIPTION = 200;

/** Undefined for a server that declares neither. */
export function resourcesOf(client: Client): ServerResources | undefined {
  const { resources, prompts } = client.getServerCapabilities() ?? {};
  if (!resources && !prompts) return undefined;
  const options = (signal: AbortSignal) => ({ signal, timeout: TIMEOUT_MS });
  return {
    async list(signal) {
      const lines: string[] = [];
      if (resources) {
        const rows = await everyPage(async (cursor) => {
          const page = await client.listResources(cursor, options(signal));
          return { rows: page.resources, nextCursor: page.nextCursor };
        });
        lines.push(...rows.map((row) => `resource ${row.uri} (${row.name})${said(row.description)}`));
      }
      if (prompts) {
        const rows = await everyPage(async (cursor) => {
          const page = await client.listPrompts(cursor, options(signal));
          return { rows: page.prompts, nextCursor: page.nextCursor };
        });
        for (const { name, description, arguments: args = [] } of rows) {
          const taken = args.map((each) => (each.required ? each.name : `${each.name}?`)).join(', ');
          lines.push(`prompt ${name}(${taken})${said(description)}`);
        }
      }
      return lines.join('\n') || '(nothing)';
    },
    async resource(uri, signal) {
      const { contents } = await client.readResource({ uri }, options(signal));
      const parts = contents.map((part) =>
        'text' in part ? part.text : `(${part.uri}: ${part.mimeType ?? 'bytes'} that cannot be shown)`,
      );
      return parts.join('\n') || '(empty)';
    },
    async prompt(name, args, signal) {
      const { messages } = await client.getPrompt({ name, arguments: args }, options(signal));
      return messages
        .map(({ role, content }) => {
          if (content.type === 'text') return `${role}: ${content.text}`;
          if (content.type === 'resource' && 'text' in content.resource) return `${role}: ${content.resource.text}`;
          return `${role}: (${content.type} that cannot be shown)`;
        })
        .join('\n');
    },
  };
}

async function everyPage<Row>(
  page: (cursor: { cursor?: string }) => Promise<{ rows: readonly Row[]; nextCursor?: string | undefined }>,
): Promise<Row[]> {
  const found: Row[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MAX_PAGES && found.length < MAX_ROWS; pages += 1) {
    const { rows, nextCursor } = await page(cursor === undefined ? {} : { cursor });
    found.push(...rows);
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return found.slice(0, MAX_ROWS);
}

function said(description = ''): string {
  return description && `: ${description.replaceAll(/\s+/g, ' ').slice(0, MAX_DESCRIPTION)}`;
}
