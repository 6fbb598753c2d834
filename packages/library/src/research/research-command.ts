import { type Command, isAppError } from '@fucina/shared';
import type { Depth } from './meta.ts';
import type { ResearchRuns } from './runs.ts';

const ARGUMENT = /^(?:--(quick|deep|exhaustive)\s+)?([\s\S]+)$/;

/** `/research` starts a research run from the conversation; depth "deep" by default. */
export function researchCommand(runs: Pick<ResearchRuns, 'start'>): Command {
  return {
    name: 'research',
    summary: 'Research a question on the web, with sources and checked claims',
    usage: '/research [--quick|--exhaustive] question',
    async run(argument, { sessionId, language }) {
      const textIn = (italian: string, english: string): string => (language === 'it' ? italian : english);
      const [, depth = 'deep', question = ''] = ARGUMENT.exec(argument.trim()) ?? [];
      if (!sessionId || question === '') {
        return textIn('Aggiungi una domanda: `/research domanda`.', 'Add a question: `/research question`.');
      }
      try {
        const { id } = await runs.start({ parentId: sessionId, question, depth: depth as Depth });
        return textIn(`Ricerca avviata (${id}).`, `Research started (${id}).`);
      } catch (error) {
        if (!isAppError(error, 'RESEARCH_INVALID')) throw error;
        return textIn(
          'La domanda è troppo lunga: al massimo 500 caratteri.',
          'The question is too long: at most 500 characters.',
        );
      }
    },
  };
}
