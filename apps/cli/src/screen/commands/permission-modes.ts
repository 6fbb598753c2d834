import type { SelectablePermissionLevel } from '@fucina/shared';
import { MODES } from '../../choices.ts';
import { PERMISSION_MODES } from '../../config/keys.ts';
import type { Candidate } from '../input/completion/candidate.ts';
import type { SessionChoice, Workbench } from '../workbench.ts';
import { UsageProblem } from './command.ts';

/** The modes of the settings, and the levels without a mode. */
const CHOICES = ['default', 'on-request', 'plan', 'dontAsk', 'read-only', 'bypassPermissions'] as const;
export type PermissionChoice = (typeof CHOICES)[number];

/** The modes that the key cycles through: Read only can only be chosen by name. */
const CYCLE: readonly PermissionChoice[] = ['default', 'on-request', 'plan', 'dontAsk', 'bypassPermissions'];

type Meaning = Pick<SessionChoice, 'mode' | 'isUnattended'> & { level: SelectablePermissionLevel };

function meaningOf(choice: PermissionChoice): Meaning {
  if (choice === 'on-request') return { level: 'On request', mode: 'normal', isUnattended: false };
  if (choice === 'read-only') return { level: 'Read only', mode: 'normal', isUnattended: false };
  return { ...MODES[choice], isUnattended: choice === 'dontAsk' };
}

export function permissionChoiceOf({ level, mode, isUnattended }: SessionChoice): PermissionChoice {
  if (mode === 'plan') return 'plan';
  if (isUnattended) return 'dontAsk';
  return CHOICES.find((choice) => meaningOf(choice).level === level) ?? 'default';
}

export async function cyclePermissions(workbench: Workbench): Promise<void> {
  const at = CYCLE.indexOf(permissionChoiceOf(workbench.conversation.choice()));
  await choosePermissions(CYCLE[(at + 1) % CYCLE.length] ?? 'default', workbench);
}

export function pickPermissions(workbench: Workbench): void {
  const { terminal, conversation, pick } = workbench;
  const current = permissionChoiceOf(conversation.choice());
  const rows = CHOICES.map((value) => ({
    value,
    label: terminal.say(`permission.${value}`),
    detail: terminal.say(`permission.about-${value}`),
    isCurrent: value === current,
  }));
  pick({
    title: terminal.say('picker.permissions'),
    rows: Promise.resolve(rows),
    choose: (choice) => choosePermissions(choice, workbench),
  });
}

/** By the names of the settings file, of the levels, and of the screen. */
export async function namePermissions(given: string, workbench: Workbench): Promise<void> {
  const name = given.toLowerCase().replace(/[\s_]+/g, '-');
  const mode = PERMISSION_MODES.find((one) => one.toLowerCase() === name);
  const choice =
    CHOICES.find(
      (one) => one.toLowerCase() === name || meaningOf(one).level.toLowerCase().replace(' ', '-') === name,
    ) ??
    (mode && ('default' as const));
  if (!choice) throw new UsageProblem();
  await choosePermissions(choice, workbench);
}

export function permissionCandidates({ terminal }: Workbench): Candidate[] {
  return CHOICES.map((text) => ({
    text,
    label: text,
    detail: terminal.say(`permission.about-${text}`),
    isWhole: true,
  }));
}

/** The mode without approvals needs a confirmation. */
async function choosePermissions(choice: PermissionChoice, workbench: Workbench): Promise<void> {
  if (choice !== 'bypassPermissions') return enter(choice, workbench);
  const { terminal, pick } = workbench;
  const rows = [
    { value: false, label: terminal.say('permission.stay') },
    {
      value: true,
      label: terminal.say('permission.enter'),
      detail: terminal.say('permission.about-bypassPermissions'),
    },
  ];
  pick<boolean>({
    title: terminal.say('permission.sure'),
    rows: Promise.resolve(rows),
    choose: async (isSure) => {
      if (isSure) await enter(choice, workbench);
    },
  });
}

async function enter(choice: PermissionChoice, { terminal, conversation, tell }: Workbench): Promise<void> {
  const { mode, ...meaning } = meaningOf(choice);
  // Plan mode changes only between turns; a level changes at once.
  await conversation.change({ ...meaning, ...(mode !== conversation.choice().mode && { mode }) });
  const name = terminal.say(`permission.${choice}`);
  tell({
    tone: choice === 'bypassPermissions' ? 'warning' : 'info',
    body: `${name}: ${terminal.say(`permission.about-${choice}`)}`,
  });
}

/** Toggles between plan mode and the default mode. */
export async function togglePlan(workbench: Workbench): Promise<void> {
  const isPlanning = workbench.conversation.choice().mode === 'plan';
  await enter(isPlanning ? 'default' : 'plan', workbench);
}
