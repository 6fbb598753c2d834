import type { Draft } from '../input/composer.ts';
import type { BusyInput, Workbench } from '../workbench.ts';

export interface SendingNeeds {
  workbench: Promise<Workbench>;
  /** Runs a `/` command of the tool; false: it is none, and is said as it is. */
  runCommand(text: string, workbench: Workbench): Promise<boolean>;
  failed(error: unknown): void;
  /** Gives what could not be sent back to the person. */
  restore(text: string): void;
}

export type Send = (draft: Draft, how?: BusyInput) => void;

/** Brings what a person wrote to where it belongs: a command of the tool, one of their own, or words for the agent. */
export function createSend(needs: SendingNeeds): Send {
  return (draft, how) => {
    void send(draft, { ...needs, how }).catch((error: unknown) => {
      needs.failed(error);
      needs.restore(draft.text);
    });
  };
}

async function send(
  { text, images }: Draft,
  { workbench, runCommand, how }: SendingNeeds & { how: BusyInput | undefined },
): Promise<void> {
  const bench = await workbench;
  const { conversation } = bench;
  if (text.startsWith('/') && (await runCommand(text, bench))) return;
  if (text.startsWith('!') && text.length > 1) return conversation.runOwn(text.slice(1).trim());
  await conversation.say({ text, images: await Promise.all(images) }, how);
}
