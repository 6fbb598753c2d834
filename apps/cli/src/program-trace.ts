import type { CommandFacts } from './command-facts.ts';
import type { Say } from './words/index.ts';

/** `fucina sessions trace`. */
export function traceCommand(say: Say): CommandFacts {
  return {
    name: 'trace',
    names: ['id'],
    about: say('help.sessions-trace'),
    options: [{ flags: '--turn <number>', about: say('help.sessions-turn'), most: 100_000 }],
    act: async (...given) => (await import('./commands/trace.ts')).traceSession(...given),
  };
}
