import { textStart } from '@fucina/shared';
import type { Client } from '@modelcontextprotocol/client';
import { nothingRead, type ReadContent, readBlocks, readResources } from './content-blocks.ts';

/** What a server offers beside its tools: resources and prompts. */
export interface ServerResources {
  list(signal: AbortSignal): Promise<string>;
  resource(uri: string, signal: AbortSignal): Promise<ReadContent>;
  prompt(name: string, args: Record<string, string>, signal: AbortSignal): Promise<ReadContent>;
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
        lines.push(...(await templateLines(client, signal)));
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
      return readResources((await client.readResource({ uri }, options(signal))).contents);
    },
    async prompt(name, args, signal) {
      const { messages } = await client.getPrompt({ name, arguments: args }, options(signal));
      const read = nothingRead();
      for (const { role, content } of messages) {
        const { texts, images, media } = readBlocks([content]);
        read.texts.push(`${role}: ${texts.join('\n') || (images.length ? '(image)' : '(file)')}`);
        read.images.push(...images);
        read.media.push(...media);
      }
      return read;
    },
  };
}

/** Addresses with a part to fill in; many servers have none and do not know the request. */
async function templateLines(client: Client, signal: AbortSignal): Promise<string[]> {
  try {
    const rows = await everyPage(async (cursor) => {
      const page = await client.listResourceTemplates(cursor, { signal, timeout: TIMEOUT_MS });
      return { rows: page.resourceTemplates, nextCursor: page.nextCursor };
    });
    return rows.map((row) => `resource template ${row.uriTemplate} (${row.name})${said(row.description)}`);
  } catch (error) {
    const { ProtocolError, ProtocolErrorCode } = await import('@modelcontextprotocol/client');
    if (error instanceof ProtocolError && error.code === ProtocolErrorCode.MethodNotFound) return [];
    throw error;
  }
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
  return description && `: ${textStart(description.replaceAll(/\s+/g, ' '), MAX_DESCRIPTION)}`;
}
