import { describe, expect, test } from '@jest/globals';
import { AppError } from '../errors.ts';
import { sentencesFor } from './index.ts';
import { withUnderlyingMessage } from './underlying.ts';

const messageOf = (error: AppError): string =>
  withUnderlyingMessage(sentencesFor(error.code, 'en', error.reason), error).message;
const systemError = (code: string): Error => Object.assign(new Error('/home/anna/secret'), { code });

describe('the underlying message of an error', () => {
  test.each(['EACCES', 'ENOSPC', 'ECONNREFUSED'])('names the system code %s at any depth of the cause', (code) => {
    const cause = new Error('outer', { cause: systemError(code) });
    const error = new AppError('FILE_NOT_FOUND', { cause });
    const { message } = sentencesFor('FILE_NOT_FOUND', 'en');
    expect(messageOf(error)).toBe(`${message} (${code})`);
  });

  test('omits a code that only says that the file is missing', () => {
    const error = new AppError('FILE_NOT_FOUND', { cause: systemError('ENOENT') });
    expect(messageOf(error)).toBe(sentencesFor('FILE_NOT_FOUND', 'en').message);
  });

  test('ends for a cause that refers to itself', () => {
    const cause = new Error('loop');
    cause.cause = cause;
    expect(messageOf(new AppError('FILE_NOT_FOUND', { cause }))).toBe(sentencesFor('FILE_NOT_FOUND', 'en').message);
  });

  test('is not shown for an internal error', () => {
    const error = new AppError('INTERNAL_ERROR', { cause: systemError('EACCES') });
    expect(messageOf(error)).toBe(sentencesFor('INTERNAL_ERROR', 'en').message);
  });

  test('fills in the parameters that the sentences of a reason name', () => {
    const params = { path: 'k.key\u202e', filter: 'rot' };
    const error = new AppError('GIT_COMMAND_FAILED', { reason: 'filter-not-trusted', params });
    const { message, explanation } = withUnderlyingMessage(
      sentencesFor('GIT_COMMAND_FAILED', 'en', 'filter-not-trusted'),
      error,
    );
    expect(message).toBe(explanation);
    expect(message).toContain('converts “k.key” (filter “rot”)');
  });

  test('quotes the line of git that names the cause, without progress and advice', () => {
    const stderr = 'To origin\nhint: pull first\nerror: failed to push some refs\nhint: see the note';
    const error = new AppError('GIT_COMMAND_FAILED', { details: { stderr } });
    expect(messageOf(error)).toContain('(git: failed to push some refs)');
  });

  test('redacts paths, credentials and control characters in the line of git', () => {
    const stderr = `fatal: unable to access 'https://anna:s3cret@host.example/r.git' in /home/anna/work: \u001b[31mdenied`;
    const message = messageOf(new AppError('GIT_COMMAND_FAILED', { details: { stderr } }));
    expect(message).toContain('https://host.example/r.git');
    for (const hidden of ['anna', 's3cret', '\u001b']) expect(message).not.toContain(hidden);
  });
});
