import type { Draft } from '../input/composer.ts';
import { picturePathsIn, readPicture, uploadPicture } from '../input/pictures.ts';
import { sentenceOf } from '../pickers/sentence.ts';
import type { BusyInput, Workbench } from '../workbench.ts';
import { UsageProblem } from './command.ts';
import { customCommands } from './custom-commands.ts';
import { COMMANDS, commandNamed, nearestName } from './table.ts';

export interface SendContext {
  workbench: Workbench;
  /** A message that could not be sent is restored in the composer. */
  restore(text: string): void;
}

const COMMAND = /^\/([A-Za-z][\w:-]*)(?:\s+(.*))?$/s;

/** Sends input to a command, the shell or the agent. Reports its own failures. */
export async function send(
  draft: Draft,
  how: BusyInput | undefined,
  { workbench, restore }: SendContext,
): Promise<void> {
  const { terminal, tell } = workbench;
  try {
    const isSent = await dispatch(draft, how, workbench);
    if (!isSent) restore(draft.text);
  } catch (error) {
    tell({ tone: 'danger', body: sentenceOf(error, terminal) });
    restore(draft.text);
  }
}

async function dispatch(draft: Draft, how: BusyInput | undefined, workbench: Workbench): Promise<boolean> {
  const { text } = draft;
  if (text.startsWith('!')) {
    const command = text.slice(1).trim();
    if (command) await workbench.conversation.runOwn(command);
    return true;
  }
  const [, name, argument = ''] = COMMAND.exec(text) ?? [];
  if (name === undefined) return say(draft, how, workbench);
  const command = commandNamed(name.toLowerCase());
  if (command?.isOfSession?.(argument.trim())) return say(draft, how, workbench);
  if (command) return runCommand(command.name, argument.trim(), workbench);
  const written = (await customCommands(workbench)).map((one) => one.name);
  // The prompts of an MCP server are listed only once it was connected.
  if (written.includes(name) || name.startsWith('mcp__')) return say(draft, how, workbench);
  const near = nearestName(name.toLowerCase(), [...COMMANDS.map((one) => one.name), ...written]);
  const { say: word } = workbench.terminal;
  const body = near ? word('slash.unknown-near', { name, near }) : word('slash.unknown', { name });
  workbench.tell({ tone: 'warning', body });
  return false;
}

/** False for an invalid argument, after showing the usage. */
export async function runCommand(name: string, argument: string, workbench: Workbench): Promise<boolean> {
  const command = commandNamed(name);
  if (!command) return false;
  const { terminal, tell } = workbench;
  try {
    if (argument && command.usage === undefined) throw new UsageProblem();
    await command.run(argument, workbench);
    return true;
  } catch (error) {
    if (!(error instanceof UsageProblem)) throw error;
    const usage = `/${name} ${command.usage ?? ''}`.trim();
    tell({ tone: 'warning', body: terminal.say('slash.usage', { usage }) });
    return false;
  }
}

async function say({ text, images }: Draft, how: BusyInput | undefined, workbench: Workbench): Promise<boolean> {
  const { conversation, services, terminal, dir } = workbench;
  const uploaded = await Promise.all(images);
  for (const path of picturePathsIn(text)) {
    const picture = await readPicture(path, { dir, home: terminal.io.home });
    if (picture) uploaded.push(await uploadPicture(picture, services));
  }
  await conversation.say({ text, images: uploaded }, how);
  return true;
}
