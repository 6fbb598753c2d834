import type { AnyAutomation, Run } from '@fucina/host';
import { cleanText } from '../../clean-text.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { turnFailure } from '../../failure.ts';
import { localTime } from '../../local-time.ts';
import { dataDirOf, withHost } from '../../open-host.ts';
import type { Terminal } from '../../terminal.ts';
import type { Say } from '../../words/index.ts';
import { type Flags, findById, oneLine, reportDone, shortId, show } from './listing.ts';

const idOf = ({ id }: AnyAutomation): string => id;

export async function listAutomations(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const rows = await withHost(terminal.io, flags, ({ services }) => services.automations.list());
  const cells = (one: AnyAutomation) => [
    { text: shortId(one.id), paint: style.accent },
    { text: say(one.isOn ? 'automation.on' : 'automation.off'), paint: one.isOn ? style.success : style.muted },
    { text: oneLine(one.name, 40), paint: style.bold },
    { text: scheduleOf(one, say) },
    {
      text: one.nextRunAt === null ? '' : say('automation.next', { time: localTime(one.nextRunAt) }),
      paint: style.muted,
    },
  ];
  show({ name: 'automations', rows, empty: say('automations.none'), cells }, flags, terminal);
  return EXIT.done;
}

/** With its last runs. */
export async function showAutomation(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { out, say, style } = terminal;
  const { automation, runs, modelProblem } = await withHost(
    terminal.io,
    flags,
    async ({ services: { automations } }) => {
      const found = findById(await automations.list(), id, idOf);
      const [known, problem] = await Promise.all([automations.runs(found.id), automations.modelProblem(found)]);
      return { automation: found, runs: known, modelProblem: problem };
    },
  );
  if (flags.json) out(JSON.stringify({ ...automation, ...(modelProblem && { modelProblem }), runs }));
  else {
    out(style.bold(oneLine(automation.name)));
    out(style.muted(scheduleOf(automation, say)));
    if (modelProblem) {
      const why = turnFailure({ code: modelProblem, message: '', failureClass: undefined }, terminal).message;
      out(style.danger(say('automation.model-unusable', { why })));
    }
    if (automation.version === 2) out(`\n${cleanText(automation.instructions)}\n`);
    const cells = (run: Run) => [
      { text: localTime(run.startedAt ?? run.skippedAt), paint: style.muted },
      { text: say(`automation.${run.state}`) },
      { text: oneLine(run.summary) },
    ];
    show({ name: 'runs', rows: runs, empty: say('automation.no-runs'), cells }, flags, terminal);
  }
  return EXIT.done;
}

export async function setAutomationActive(
  isOn: boolean,
  flags: Flags,
  { id, terminal }: { id: string | undefined; terminal: Terminal },
): Promise<ExitCode> {
  const changed = await withHost(terminal.io, flags, async ({ services: { automations } }) =>
    automations.toggle(findById(await automations.list(), id ?? '', idOf).id, isOn),
  );
  reportDone(`${terminal.say(isOn ? 'automation.on' : 'automation.off')}: ${oneLine(changed.name)}`, changed, {
    flags,
    terminal,
  });
  return EXIT.done;
}

export async function deleteAutomation(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const gone = await withHost(terminal.io, flags, async ({ services: { automations } }) => {
    const found = findById(await automations.list(), id, idOf);
    await automations.remove(found.id);
    return found;
  });
  reportDone(terminal.say('kept.deleted', { title: oneLine(gone.name) }), { id: gone.id }, { flags, terminal });
  return EXIT.done;
}

/** A new secret with which other programs start it, printed once; or none from now on. */
export async function automationWebhook(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const { io, say, out } = terminal;
  const { automation, secret } = await withHost(io, flags, async ({ services: { automations } }) => {
    const found = findById(await automations.list(), id, idOf);
    if (flags['remove'] !== true)
      return { automation: found, secret: (await automations.hooks.create(found.id)).secret };
    await automations.hooks.remove(found.id);
    return { automation: found, secret: undefined };
  });
  if (secret === undefined) {
    reportDone(
      say('automation.webhook-removed', { name: oneLine(automation.name) }),
      { id: automation.id },
      { flags, terminal },
    );
    return EXIT.done;
  }
  const { answeringServer } = await import('@fucina/host');
  const server = (await answeringServer(await dataDirOf(io, flags)))?.url ?? 'http://127.0.0.1:PORT/';
  const url = `${server}api/v1/ext/automations/${automation.id}/hook`;
  if (flags.json) out(JSON.stringify({ id: automation.id, url, secret }));
  else {
    out(say('automation.webhook-once'));
    out(`curl --json '{}' -H 'Authorization: Bearer ${secret}' ${url}`);
  }
  return EXIT.done;
}

/** Changes of which files start it; none without patterns. */
export async function automationWatch(flags: Flags, [id = '']: string[], terminal: Terminal): Promise<ExitCode> {
  const given = Array.isArray(flags['files']) ? flags['files'].join('\n') : null;
  const { found, patterns } = await withHost(terminal.io, flags, async ({ services: { automations } }) => {
    const automation = findById(await automations.list(), id, idOf);
    return { found: automation, ...(await automations.watches.set(automation.id, given)) };
  });
  const name = oneLine(found.name);
  const { say } = terminal;
  const text = patterns === null ? say('automation.unwatched', { name }) : say('automation.watched', { name });
  reportDone(text, { id: found.id, patterns }, { flags, terminal });
  return EXIT.done;
}

/** Runs with an unread result. */
export async function automationInbox(flags: Flags, _names: string[], terminal: Terminal): Promise<ExitCode> {
  const { say, style } = terminal;
  const rows = await withHost(terminal.io, flags, ({ services }) => services.automations.inbox());
  const cells = ({ run, automation }: (typeof rows)[number]) => [
    { text: localTime(run.finishedAt), paint: style.muted },
    { text: oneLine(automation.name, 40), paint: style.bold },
    { text: say(`automation.${run.state}`) },
    { text: oneLine(run.summary) },
  ];
  show({ name: 'inbox', rows, empty: say('automation.inbox-empty'), cells }, flags, terminal);
  return EXIT.done;
}

function scheduleOf(automation: AnyAutomation, say: Say): string {
  if (automation.version === 1) return say('schedule.every', { minutes: automation.intervalMinutes });
  const { schedule } = automation;
  switch (schedule.kind) {
    case 'manual':
      return say('schedule.manual');
    case 'hourly':
      return say('schedule.hourly', { minute: schedule.minute });
    case 'daily':
    case 'weekdays':
      return say(`schedule.${schedule.kind}`, { time: schedule.time });
    case 'weekly':
      return say('schedule.weekly', { day: say(WEEKDAYS[schedule.day % 7] ?? 'day.0'), time: schedule.time });
    case 'every':
      return say('schedule.every', { minutes: schedule.minutes });
    case 'cron':
      return say('schedule.cron', { expression: oneLine(schedule.expression, 60) });
    case 'once':
      return say('schedule.once', { time: schedule.at.replace('T', ' ') });
  }
}

const WEEKDAYS = ['day.0', 'day.1', 'day.2', 'day.3', 'day.4', 'day.5', 'day.6'] as const;
