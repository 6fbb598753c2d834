import { type Command, isAppError } from '@fucina/shared';
import type { Depth } from './meta.ts';
import type { ResearchRuns } from './runs.ts';

const WISH = /^(?:--(quick|deep|exhaustive)\s+)?([\s\S]+)$/;

/** `/research` starts one from the conversation; deep unless said otherwise. */
export function researchCommand(runs: Pick<ResearchRuns, 'start'>): Command {
  return {
    name: 'research',
    summary: 'Research a question on the web, with sources and checked claims',
    usage: '/research [--quick|--exhaustive] question',
    async run(argument, { sessionId, language }) {
      const told = (italian: string, english: string): string => (language === 'it' ? italian : english);
      const [, depth = 'deep', question = ''] = WISH.exec(argument.trim()) ?? [];
      if (!sessionId || question === '') {
        return told('Scrivi la domanda: `/research domanda`.', 'Write the question: `/research question`.');
      }
      try {
        const { id } = await runs.start({ parentId: sessionId, question, depth: depth as Depth });
        return told(`Ricerca avviata (${id}).`, `Research started (${id}).`);
      } catch (error) {
        if (!isAppError(error, 'RESEARCH_INVALID')) throw error;
        return told(
          'La domanda è troppo lunga: al massimo 500 caratteri.',
          'The question is too long: at most 500 characters.',
        );
      }
    },
  };
}
