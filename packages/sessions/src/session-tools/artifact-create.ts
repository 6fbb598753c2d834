import type { Ambient, Tool } from '@fucina/shared';
import * as z from 'zod';
import type { Artifacts } from '../artifacts.ts';

const MAX_TITLE = 200;
const MAX_HTML = 2 * 1024 * 1024;

const input = z.strictObject({
  titolo: z.string().trim().min(1).max(MAX_TITLE).describe('Title shown above the page.'),
  html: z
    .string()
    .min(1)
    .max(MAX_HTML)
    .describe('A whole HTML document; scripts and styles inline, images and fonts as data: addresses.'),
});

export interface ArtifactToolNeeds {
  ambient: Pick<Ambient, 'newId'>;
  artifacts: Pick<Artifacts, 'keep'>;
}

export function createArtifactTool({ ambient, artifacts }: ArtifactToolNeeds): Tool<z.output<typeof input>> {
  return {
    name: 'artifact_create',
    description:
      'Show the user an interactive HTML page inside the conversation: a chart, a diagram, a small demonstration. ' +
      'The page is isolated: no network, no files, no access to the conversation. It is kept in memory only and lost ' +
      'when the program restarts; for something to keep, write a file.',
    category: 'extended',
    effect: 'dialogue',
    gate: null,
    input,
    action: ({ titolo, html }) => ({ tipo: 'artifact_create', titolo, caratteri: html.length }),
    async run({ titolo, html }, { sessionId }) {
      const id = artifacts.keep({ sessionId, title: titolo, html });
      return {
        content: `The page ${JSON.stringify(titolo)} is shown to the user (artifact ${id}).`,
        events: [{ type: 'ArtifactCreated', messageId: ambient.newId(), id, titolo }],
      };
    },
  };
}
