import type { WordKey } from '../../words/words.ts';

/** Words of an event of a hook, or the event itself where there are none. */
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
