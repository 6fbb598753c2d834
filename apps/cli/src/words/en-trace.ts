/** Texts of `fucina sessions trace`. */
export const EN_TRACE = {
  'help.sessions-trace': 'what a turn spent its time on: model calls, tools, waits, sub-agents',
  'help.sessions-turn': 'number of the turn, from 1 (default: the latest)',
  'trace.no-turn': 'the session has no such turn',
  'trace.none': 'No times for this turn.',
  'trace.model': 'waiting for the model',
  'trace.wait': 'waiting for you',
  'trace.retry': 'wait before retry',
  'trace.compaction': 'compaction',
  'trace.waited': 'waited for you {time}',
  'trace.more': '{count} more steps',
  'trace.running': 'running',
  'trace.done': 'done',
  'trace.failed': 'failed',
  'trace.stopped': 'stopped',
  'trace.exhausted': 'model call limit reached',
  'trace.interrupted': 'interrupted',
};
