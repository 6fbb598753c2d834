import { describe, expect, test } from '@jest/globals';
import { EMPTY } from '../conversation.ts';
import type { StreamEvent } from '../events.ts';
import { fold } from '../fold.ts';
import { readStored } from '../reader.ts';
import { shareLabels, shareMarkdown, shareOf, sharePage } from '../sharing.ts';
import { recordedSessions } from '../testing.ts';
import { createSecretFilter } from './secrets.ts';

const labels = shareLabels('en');
const ALL = { hasReasoning: true, hasOutput: true, hasChanges: true };
const stream = (events: object[]): StreamEvent[] =>
  events.map((event, at) => ({ ...event, sequence: at + 1 }) as unknown as StreamEvent);

function conversation(answer: string, output = '') {
  return fold(
    EMPTY,
    stream([
      { type: 'RunStarted', threadId: 't', runId: 'r', input: { message: 'Look at /home/anna/shop' } },
      { type: 'ReasoningMessageStart', messageId: 'm1', role: 'reasoning' },
      { type: 'ReasoningMessageContent', messageId: 'm1', delta: 'Thinking.' },
      { type: 'ReasoningMessageEnd', messageId: 'm1' },
      { type: 'ToolCallStart', toolCallId: 'c1', toolCallName: 'shell' },
      { type: 'ToolCallArgs', toolCallId: 'c1', delta: JSON.stringify({ comando: 'cat .env' }) },
      { type: 'ToolCallResult', toolCallId: 'c1', messageId: 'm2', role: 'tool', content: output },
      { type: 'TextMessageStart', messageId: 'm3', role: 'assistant' },
      { type: 'TextMessageContent', messageId: 'm3', delta: answer },
      { type: 'TextMessageEnd', messageId: 'm3' },
      { type: 'RunFinished', threadId: 't', runId: 'r' },
    ]),
  );
}

describe('secrets', () => {
  const filter = () => createSecretFilter((kind) => `[${kind}]`);
  const token = `${'gh'}p_${'a1B2'.repeat(9)}`;

  test.each([
    [`export GITHUB=${token}`, 'export GITHUB=[token]'],
    [`sk-${'ant-api03-'}${'x9'.repeat(20)} end`, '[token] end'],
    [`AKIA${'ABCDEFGH12345678'}`, '[token]'],
    [`Authorization: Bearer ${'abc123.def-456'}`, 'Authorization: Bearer [token]'],
    ['postgres://user:hunter2@db.example/shop', 'postgres://[address]@db.example/shop'],
    ['DB_PASSWORD="correct horse"', 'DB_PASSWORD="[password] horse"'],
    ['{"apiKey": "abcdef123456"}', '{"apiKey": "[password]"}'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nafter', '[private-key]\nafter'],
  ])('removes the secret of %j', (text, clean) => {
    expect(filter().clean(text)).toBe(clean);
  });

  test.each([
    'const token = process.env.TOKEN;',
    'password: string',
    'the token limit is 4096',
    'token = readToken()',
    'https://example.org/path?x=1',
    'sk-1',
  ])('leaves %j', (text) => {
    const one = filter();
    expect([one.clean(text), one.removed()]).toEqual([text, []]);
  });

  test('are listed once each, with their beginning', () => {
    const one = filter();
    one.clean(`${token} ${token}`);
    expect(one.removed()).toEqual([{ kind: 'token', hint: 'ghp_…', count: 2 }]);
  });
});

describe('a shared conversation', () => {
  test('has messages, calls and answers, without the user name in home folders', () => {
    const share = shareOf(conversation('Done.', 'PASSWORD=hunter22'), { title: 'Shop', choice: ALL, labels });
    expect(share.blocks).toEqual([
      { kind: 'user', text: 'Look at ~/shop' },
      { kind: 'reasoning', text: 'Thinking.' },
      {
        kind: 'call',
        title: 'Ran',
        subject: 'cat .env',
        isFailed: false,
        parts: [{ title: 'Output', text: 'PASSWORD=[password removed]', language: '' }],
      },
      { kind: 'answer', text: 'Done.' },
    ]);
    expect(share.removed).toEqual([{ kind: 'password', hint: 'hunt…', count: 1 }]);
  });

  test('leaves out what was not chosen', () => {
    const choice = { hasReasoning: false, hasOutput: false, hasChanges: false };
    const { blocks } = shareOf(conversation('Done.', 'text'), { title: 'Shop', choice, labels });
    expect(blocks.map(({ kind }) => kind)).toEqual(['user', 'call', 'answer']);
    expect(blocks[1]).toMatchObject({ parts: [] });
  });

  test('as Markdown, text with fences stays inside its own', () => {
    const share = shareOf(conversation('Done.', '```\n</details>\n```'), { title: 'A\nB', choice: ALL, labels });
    const text = shareMarkdown(share, labels);
    expect(text).toContain('# A B\n\n## User\n\nLook at ~/shop');
    expect(text).toContain('<summary>Output</summary>\n\n````\n```\n</details>\n```\n````\n\n</details>');
  });

  test('as a page, nothing in it runs or loads', () => {
    const hostile =
      '<script>alert(1)</script> <img src=x onerror=alert(1)> [a](javascript:alert(1)) ![p](https://x.example/p.png) \n\n**bold**';
    const share = shareOf(conversation(hostile, '</code></pre><script>1</script>'), {
      title: '</title><script>2</script>',
      choice: ALL,
      labels,
    });
    const page = sharePage(share, labels, 'en');
    expect(page).not.toMatch(/<script|<img|href="javascript/i);
    expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'");
    expect(page).toContain('<strong>bold</strong>');
    expect(page.match(/<h1>/g)).toHaveLength(1);
  });

  test.each(recordedSessions())('the recorded session $name can be shared', ({ events }) => {
    const share = shareOf(fold(EMPTY, events.map(readStored)), { title: 'Recorded', choice: ALL, labels });
    expect(share.blocks.length).toBeGreaterThan(1);
    expect(sharePage(share, labels, 'en')).toContain('</html>');
  });
});
