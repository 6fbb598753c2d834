import type { WordKey } from '../../words/words.ts';

/** Label of a hook's event, or the event name itself. */
export function eventWords(say: (key: WordKey) => string, event: string): string {
  const known: Record<string, WordKey> = {
    pre_tool_call: 'extensions.event.before',
    post_tool_call: 'extensions.event.after',
    session_start: 'extensions.event.start',
    session_end: 'extensions.event.end',
  };
  const key = known[event];
  return key ? say(key) : event;
}
