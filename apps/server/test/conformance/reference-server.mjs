// The server, from its sources, with what the official conformance suite wants an MCP server to have, in place of Fucina's own: it
// exercises our endpoint. A bundle would have a copy of the SDK of its own. Prints its address.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemAmbient } from '@fucina/shared';
import { completable, fromJsonSchema, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { readSettings, startServer } from '../../src/server.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const none = z.object({});
const text = (content) => ({ content: [{ type: 'text', text: content }] });
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

/** What the official suite wants a server to have, so that it exercises our endpoint. */
const referenceServer = () => {
  const server = new McpServer(
    { name: 'reference', version: '1' },
    { capabilities: { logging: {}, resources: { subscribe: true }, completions: {} } },
  );
  addContents(server);
  addMessages(server);
  addQuestions(server);
  addResources(server);
  addPrompts(server);
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.server.setRequestHandler('logging/setLevel', () => ({}));
  return server;
};

function addContents(server) {
  const image = { type: 'image', data: PNG, mimeType: 'image/png' };
  server.registerTool('test_simple_text', { description: 'A tool of the suite', inputSchema: none }, () =>
    text('This is a simple text response for testing.'),
  );
  server.registerTool('test_image_content', { description: 'A tool of the suite', inputSchema: none }, () => ({
    content: [image],
  }));
  server.registerTool('test_audio_content', { description: 'A tool of the suite', inputSchema: none }, () => ({
    content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  }));
  const resource = (uri, mimeType, content) => ({
    type: 'resource',
    resource: { uri, mimeType, text: content },
  });
  server.registerTool('test_embedded_resource', { description: 'A tool of the suite', inputSchema: none }, () => ({
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }));
  server.registerTool('test_multiple_content_types', { description: 'A tool of the suite', inputSchema: none }, () => ({
    content: [
      ...text('Multiple content types test:').content,
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  server.registerTool('test_error_handling', { description: 'A tool of the suite', inputSchema: none }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  const schema = fromJsonSchema(JSON.parse(readFileSync(join(import.meta.dirname, 'schema-2020-12.json'), 'utf8')));
  server.registerTool('json_schema_2020_12_tool', { description: 'A tool of the suite', inputSchema: schema }, () =>
    text('fine'),
  );
}

function addMessages(server) {
  server.registerTool(
    'test_tool_with_logging',
    { description: 'A tool of the suite', inputSchema: none },
    async (_input, { mcpReq }) => {
      for (const said of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await mcpReq.log('info', said);
        await pause();
      }
      return text('logged');
    },
  );
  server.registerTool(
    'test_tool_with_progress',
    { description: 'A tool of the suite', inputSchema: none },
    async (_input, { mcpReq }) => {
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        const params = { progressToken: progressToken ?? 0, progress, total: 100 };
        if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
        await pause();
      }
      return text('done');
    },
  );
  server.registerTool(
    'test_reconnection',
    { description: 'A tool of the suite', inputSchema: none },
    async (_input, { http }) => {
      http?.closeSSE?.();
      await pause();
      return text('Reconnection test completed successfully');
    },
  );
}

function addQuestions(server) {
  server.registerTool(
    'test_sampling',
    { description: 'A tool of the suite', inputSchema: z.object({ prompt: z.string() }) },
    async ({ prompt }, { mcpReq }) => {
      const { content } = await mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
        maxTokens: 100,
      });
      const [first] = Array.isArray(content) ? content : [content];
      return text(`LLM response: ${first?.type === 'text' ? first.text : ''}`);
    },
  );
  const ask = async (context, message, requestedSchema) => {
    const { action, content } = await context.mcpReq.elicitInput({ mode: 'form', message, requestedSchema });
    return `action=${action}, content=${JSON.stringify(content ?? {})}`;
  };
  const string = (description) => ({ type: 'string', description });
  server.registerTool(
    'test_elicitation',
    { description: 'A tool of the suite', inputSchema: z.object({ message: z.string() }) },
    async ({ message }, context) => {
      const properties = { username: string("User's response"), email: string("User's email address") };
      const schema = { type: 'object', properties, required: ['username', 'email'] };
      return text(`User response: ${await ask(context, message, schema)}`);
    },
  );
  server.registerTool(
    'test_elicitation_sep1034_defaults',
    { description: 'A tool of the suite', inputSchema: none },
    async (_input, context) => {
      const properties = {
        name: { type: 'string', default: 'John Doe' },
        age: { type: 'integer', default: 30 },
        score: { type: 'number', default: 95.5 },
        status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
        verified: { type: 'boolean', default: true },
      };
      return text(`Elicitation completed: ${await ask(context, 'Defaults', { type: 'object', properties })}`);
    },
  );
  server.registerTool(
    'test_elicitation_sep1330_enums',
    { description: 'A tool of the suite', inputSchema: none },
    async (_input, context) => {
      const values = ['option1', 'option2', 'option3'];
      const titled = (word) =>
        ['First', 'Second', 'Third'].map((rank, at) => ({ const: `value${at + 1}`, title: `${rank} ${word}` }));
      const properties = {
        untitledSingle: { type: 'string', enum: values },
        titledSingle: { type: 'string', oneOf: titled('Option') },
        legacyEnum: {
          type: 'string',
          enum: ['opt1', 'opt2', 'opt3'],
          enumNames: ['Option One', 'Option Two', 'Option Three'],
        },
        untitledMulti: { type: 'array', items: { type: 'string', enum: values } },
        titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
      };
      return text(`Elicitation completed: ${await ask(context, 'Enums', { type: 'object', properties })}`);
    },
  );
}

function addResources(server) {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }));
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'image/png', blob: PNG }],
  }));
  server.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, ({ href: uri }) => ({
    contents: [{ uri, mimeType: 'text/plain', text: 'watched' }],
  }));
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  server.registerResource('template', template, { mimeType: 'application/json' }, ({ href: uri }, { id }) => ({
    contents: [
      {
        uri,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }));
}

function addPrompts(server) {
  const user = (said) => ({ role: 'user', content: { type: 'text', text: said } });
  server.registerPrompt('test_simple_prompt', { description: 'A prompt of the suite' }, () => ({
    messages: [user('This is a simple prompt for testing.')],
  }));
  const argsSchema = z.object({ arg1: completable(z.string(), () => ['paris', 'park', 'party']), arg2: z.string() });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'A prompt of the suite', argsSchema },
    ({ arg1, arg2 }) => ({
      messages: [user(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)],
    }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'A prompt of the suite', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri: uri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
          },
        },
        user('Please process the embedded resource above.'),
      ],
    }),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'A prompt of the suite' }, () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: PNG, mimeType: 'image/png' } },
      user('Please analyze the image above.'),
    ],
  }));
}

const dataDir = mkdtempSync(join(tmpdir(), 'fucina-conformance-'));
const environment = { PATH: process.env.PATH, HOME: dataDir };
const args = ['--port=0', `--data-dir=${dataDir}`, '--key-store=memory', '--public-catalog=0', '--log=silent'];
const running = await startServer({
  settings: readSettings(args, environment),
  ambient: systemAmbient('silent'),
  mcpServer: async () => referenceServer,
});
process.once('SIGTERM', async () => {
  await running.close();
  rmSync(dataDir, { recursive: true, force: true });
});
process.stdout.write(running.url);
