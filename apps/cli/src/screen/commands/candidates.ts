import type { Say } from '../../words/index.ts';
import { type Candidate } from '../input/completion/candidate.ts';
import { ranked } from '../input/completion/fuzzy.ts';
import type { Trigger } from '../input/completion/trigger.ts';
import type { Workbench } from '../workbench.ts';
import { customCommands } from './custom-commands.ts';
import { mentionCandidates, promptCandidates } from './mcp-candidates.ts';
import { COMMANDS, commandNamed } from './table.ts';

export interface CompletionNeeds {
  say: Say;
  /** Available once the data folder is open: commands are known before. */
  workbench: Promise<Workbench>;
  isOpen(): boolean;
}

const MOST = 50;

/** The values of a command are requested once while its argument is being typed. */
export function createCandidates(needs: CompletionNeeds): (trigger: Trigger) => Promise<readonly Candidate[]> {
  let known: { command: string; values: Promise<readonly Candidate[]> } | undefined;
  return async (trigger) => {
    if (trigger.kind !== 'argument') known = undefined;
    if (trigger.kind === 'command') return commandCandidates(trigger.query, needs);
    const workbench = await needs.workbench;
    if (trigger.kind === 'file') return mentionCandidates(trigger.query, workbench);
    const { command, query } = trigger;
    if (command.startsWith('mcp__')) return promptCandidates(command, query, workbench);
    if (known?.command !== command) known = { command, values: valuesOf(command, workbench) };
    return ranked(query, await known.values, ({ label, detail = '' }) => `${label} ${detail}`).slice(0, MOST);
  };
}

async function valuesOf(command: string, workbench: Workbench): Promise<readonly Candidate[]> {
  return (await commandNamed(command)?.values?.(workbench)) ?? [];
}

async function commandCandidates(query: string, needs: CompletionNeeds): Promise<Candidate[]> {
  const own = COMMANDS.map(({ name, usage, about }) => candidateOf(name, usage, needs.say(about)));
  const all = [...own, ...(needs.isOpen() ? await written(await needs.workbench) : [])];
  // By name; descriptions are searched only if no name matches.
  const byName = ranked(query, all, ({ label }) => label.slice(1));
  return byName.length > 0 ? byName : ranked(query, all, ({ detail = '' }) => detail).slice(0, MOST);
}

async function written(workbench: Workbench): Promise<Candidate[]> {
  const commands = await customCommands(workbench);
  return commands
    .filter(({ name }) => !commandNamed(name))
    .map(({ name, summary, usage }) => ({
      text: `/${name} `,
      label: `/${name}`,
      detail: summary,
      isWhole: usage.trim() === `/${name}`,
    }));
}

function candidateOf(name: string, usage: string | undefined, about: string): Candidate {
  const detail = usage && usage.length <= LONGEST_USAGE ? `${about}  ${usage}` : about;
  // A command without arguments is sent with Enter; Tab leaves room for more.
  return { text: usage === undefined ? `/${name}` : `/${name} `, label: `/${name}`, detail, isWhole: true };
}

const LONGEST_USAGE = 24;
