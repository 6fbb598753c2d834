import { stream, view } from '../../http/answers.ts';
import { operation } from '../../http/operation.ts';
import { board, boardFrames } from '../../wire/board.ts';

const tag = 'Extensions';

export const readBoard = operation({
  id: 'ext.board.read',
  tag,
  summary: 'Sessions that run, wait or ended in the last hours: last line, changed lines, cost',
  method: 'GET',
  path: '/ext/board',
  answer: view(board),
  handle: async ({ services }) => ({ record: { sessioni: [...(await services.sessions.board.rows())] } }),
});

export const followBoard = operation({
  id: 'ext.board.events',
  tag,
  summary: 'The board now, and again whenever it changes',
  method: 'GET',
  path: '/ext/board/events',
  answer: stream(board),
  handle: ({ services, signal }) => boardFrames(services.sessions.board.follow(signal)),
});
