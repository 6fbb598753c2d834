import type { Reply } from './reply.ts';
import type { ModelServerRequest } from './request.ts';
import { SAMPLE_BUG } from './sample-project.ts';

const words = (text: string): string[] => text.split(/(?<= )/);
const pace = { delayMs: 350, deltasPerSecond: 45 } as const;

/** What the user asks for. */
export const DEMO_TASK = 'A test of this project fails. Find out why, fix it and run the tests.';

/**
 * The script of the demo on the sample project: read, reproduce the bug, fix it with one approval, run the tests,
 * report.
 */
export const DEMO_STEPS: readonly Reply[] = [
  {
    ...pace,
    reasoning: words('I should see what is here, then run the failing test to find the cause.'),
    text: words("I'll look at the project first, then run its tests to see the failure myself."),
    toolCalls: [
      { name: 'elenca', arguments: {} },
      { name: 'leggi', arguments: { percorso: SAMPLE_BUG.path } },
    ],
    usage: { promptTokens: 1_480, completionTokens: 61, cachedTokens: 0 },
  },
  {
    ...pace,
    text: words('Now the tests, before I change anything.'),
    toolCalls: [{ name: 'prova', arguments: {} }],
    usage: { promptTokens: 2_010, completionTokens: 24, cachedTokens: 1_408 },
  },
  {
    ...pace,
    reasoning: words(
      'The page holds one item too few. slice excludes its end index, so subtracting one more drops the last item of each full page.',
    ),
    text: words(
      'The cause is an off-by-one: `slice` already excludes its end index, and the code subtracts one more. I would like to change that one line.',
    ),
    toolCalls: [
      {
        name: 'file_edit',
        arguments: { percorso: SAMPLE_BUG.path, vecchio: SAMPLE_BUG.before, nuovo: SAMPLE_BUG.after },
        pieces: 6,
      },
    ],
    usage: { promptTokens: 2_620, completionTokens: 118, cachedTokens: 1_984 },
  },
  {
    ...pace,
    text: words('Changed. The same tests again, to check it.'),
    toolCalls: [{ name: 'prova', arguments: {} }],
    usage: { promptTokens: 2_790, completionTokens: 22, cachedTokens: 2_560 },
  },
  {
    ...pace,
    text: words(
      `**Done: all three tests pass.**\n\n| | before | after |\n|---|---|---|\n| tests passing | 2 of 3 | 3 of 3 |\n\n**Cause.** \`pageOf\` ended each page one item early:\n\n\`\`\`js\n// slice excludes its end index\n${SAMPLE_BUG.after}\n\`\`\`\n\n**Changed:** one line in \`${SAMPLE_BUG.path}\`. **Verified with:** the project's own \`npm test\`, run before and after. Nothing else was touched.`,
    ),
    usage: { promptTokens: 3_300, completionTokens: 131, cachedTokens: 2_752 },
  },
];

/** To everything else, and to what the user writes after the task. */
export const DEMO_END: Reply = {
  ...pace,
  text: words(
    'The model of this demo is a script: it knows one task and has no other answers. To continue, add a provider in **Settings** and choose one of its models.',
  ),
  usage: { promptTokens: 3_460, completionTokens: 38, cachedTokens: 3_328 },
};

export const DEMO_TITLE: Reply = { text: 'Fix the last item of each page' };

const REFUSAL: Reply = { fault: { kind: 'status', status: 400, message: 'The demo has no answer to this.' } };

/**
 * The demo's model on the chat-completions wire: the step that follows the answers in the conversation, if it is about
 * the task.
 */
export function demoScript({ body }: Pick<ModelServerRequest, 'body'>): Reply {
  const messages = Array.isArray(body['messages']) ? (body['messages'] as { role?: string }[]) : [];
  const isTask = JSON.stringify(messages).includes(DEMO_TASK);
  // Without tools a title is asked for, or a commit message.
  if (body['tools'] === undefined) return { ...(isTask ? DEMO_TITLE : REFUSAL) };
  const answers = messages.filter(({ role }) => role === 'assistant').length;
  return { ...((isTask && DEMO_STEPS[answers]) || DEMO_END) };
}
