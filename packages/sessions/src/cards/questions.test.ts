import { describe, expect, test } from '@jest/globals';
import { testSessions } from '../../test/harness.ts';
import { call, say } from '../testing.ts';
import { checkAnswer, type Question, questionsInput } from './questions.ts';

const asked = {
  questions: [
    {
      id: 'colour',
      question: 'Which colour?',
      why: 'The theme depends on it.',
      options: [{ label: 'Red' }, { label: 'Blue', recommended: true }],
    },
    { id: 'name', question: 'Which name?', why: 'It is shown.' },
  ],
};
const asking = [{ events: call('q1', 'ask_user', asked) }, { events: say('thank you') }];

describe('a question', () => {
  test('waits for the user, lists the recommended option first and sends the answer to the model', async () => {
    await using setup = await testSessions(asking);
    const id = await setup.start();
    await setup.seen(id, 'UserQuestionRequested');
    expect((await setup.sessions.read(id)).waitsForQuestion).toBe(true);
    const card = await setup.sessions.requests.pending(id);
    if (card?.kind !== 'question') throw new Error('no question');
    expect(card.questions[0]?.options?.map(({ label }) => label)).toEqual(['Blue', 'Red']);
    const answer = { requestId: card.requestId, status: 'answered' as const, answers: { colour: 'Blue' } };
    await expect(setup.sessions.requests.answer(id, answer)).rejects.toMatchObject({ code: 'QUERY_INVALID' });
    const whole = { ...answer, skipped: ['name'], notes: { colour: 'dark' } };
    await setup.sessions.requests.answer(id, whole);
    await setup.sessions.turns.settled(id);
    expect(setup.model.requests[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringMatching(/Which colour\?\n→ Blue\n {2}note: dark\nWhich name\?\n→ \(skipped\)/),
    });
    await setup.sessions.requests.answer(id, whole);
    await expect(setup.sessions.requests.answer(id, { ...whole, notes: {} })).rejects.toMatchObject({
      code: 'QUESTION_NOT_PENDING',
    });
  });

  test('stays open over a restart, and its answer resumes the turn', async () => {
    await using setup = await testSessions(asking);
    const id = await setup.start();
    await setup.seen(id, 'UserQuestionRequested');
    await using again = await setup.reopen([{ events: say('thank you') }]);
    expect(await again.sessions.read(id)).toMatchObject({ isInterrupted: true, waitsForQuestion: true });
    const card = await again.sessions.requests.pending(id);
    await again.sessions.requests.answer(id, { requestId: card?.requestId ?? '', status: 'skipped' });
    await again.sessions.turns.settled(id);
    expect(await again.sessions.read(id)).toMatchObject({ isConcluded: true, waitsForQuestion: false });
    expect(again.model.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', toolCallId: 'q1' });
    await setup.sessions.turns.stop(id);
  });

  test('stays open when the program exits normally', async () => {
    await using setup = await testSessions(asking);
    const id = await setup.start();
    await setup.seen(id, 'UserQuestionRequested');
    await setup.sessions.turns.close();
    await using again = await setup.reopen([{ events: say('well then') }]);
    expect((await again.sessions.requests.pending(id))?.kind).toBe('question');
    await again.sessions.turns.resume(id, { message: 'never mind' });
    await again.sessions.turns.settled(id);
    const events = await again.events(id);
    expect(events.find(({ type }) => type === 'UserQuestionResolved')).toMatchObject({
      status: 'cancelled',
      da: 'sistema',
    });
    expect(events.filter((event) => event.type === 'ToolCallResult' && event.toolCallId === 'q1')).toHaveLength(1);
  });

  test.each(['stop', 'expired'] as const)('%s closes it and ends the turn', async (how) => {
    await using setup = await testSessions(asking);
    const id = await setup.start();
    const { requestId } = (await setup.seen(id, 'UserQuestionRequested')) as { requestId: string };
    if (how === 'stop') await setup.sessions.turns.stop(id);
    else await setup.sessions.requests.answer(id, { requestId, status: 'expired' });
    await setup.sessions.turns.settled(id);
    expect(await setup.sessions.read(id)).toMatchObject({ outcome: 'stopped', waitsForQuestion: false });
    expect(setup.model.requests).toHaveLength(1);
  });
});

describe('question and answer validation', () => {
  const question = (more: object): unknown => ({ questions: [{ id: 'a', question: 'q', why: 'w', ...more }] });

  test.each([
    ['an id that is no snake_case', { id: 'A-b' }],
    ['no reason', { why: undefined }],
    ['one option only', { options: [{ label: 'x' }] }],
    ['two options alike', { options: [{ label: 'x' }, { label: 'x' }] }],
    [
      'two recommended',
      {
        options: [
          { label: 'x', recommended: true },
          { label: 'y', recommended: true },
        ],
      },
    ],
    ['several answers without options', { multiSelect: true }],
    ['a preview of 21 lines', { options: [{ label: 'x', preview: '\n'.repeat(20) }, { label: 'y' }] }],
  ])('refuses %s', (_what, more) => {
    expect(questionsInput.safeParse(question(more)).success).toBe(false);
  });

  const options = [{ label: 'x' }, { label: 'y' }];
  const many: Question = { id: 'm', question: 'q', why: 'w', options, multiSelect: true };
  const free: Question = { id: 'f', question: 'q', why: 'w' };
  const answered = (answers: Record<string, string | string[]>, more: object = {}) => ({
    requestId: 'r',
    status: 'answered' as const,
    answers,
    ...more,
  });

  test.each([
    ['nothing', answered({})],
    ['an unknown question', answered({ m: ['x'], f: 'a', z: 'b' })],
    ['a question left out', answered({ m: ['x'] })],
    ['one both answered and skipped', answered({ m: ['x'], f: 'a' }, { skipped: ['f'] })],
    ['two free texts', answered({ m: ['one', 'two'], f: 'a' })],
    ['several for one', answered({ m: ['x'], f: ['a', 'b'] })],
    ['a blank text', answered({ m: ['x'], f: ' ' })],
    ['content with another status', { requestId: 'r', status: 'skipped' as const, answers: { f: 'a' } }],
  ])('%s is QUERY_INVALID', (_what, answer) => {
    expect(() => checkAnswer([many, free], answer)).toThrow(expect.objectContaining({ code: 'QUERY_INVALID' }));
  });

  test('accepts options with one free text, and free texts', () => {
    expect(() => checkAnswer([many, free], answered({ m: ['x', 'my own'], f: 'a' }))).not.toThrow();
  });
});
