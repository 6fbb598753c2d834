import type { SessionEvent } from '@fucina/conversation';
import type { Services } from '@fucina/host';
import { type Ambient, isAppError } from '@fucina/shared';
import type { Choices } from '../../choices.ts';
import { startInFolder } from '../../session-folder.ts';
import type { Terminal } from '../../terminal.ts';
import type { BusyInput, Conversation, Message, Notice, SessionChoice } from '../workbench.ts';
import { type AgentAsking, type AgentRow, watchAgents } from './agents.ts';
import { readyRequest, sendAnswer, unattendedAnswer } from './answering.ts';
import { contextOf, readContext } from './context.ts';
import {
  type ConversationState,
  cancelWaiting,
  createConversationState,
  type PendingWords,
  resetConversation,
  runsInOtherProcess,
  settleWaiting,
  waitUntilShown,
} from './conversation-state.ts';
import { type Following, followSession } from './follow.ts';
import { assertRunsHere, sendNextMessage, startSessionWith, startWithCommand } from './send-message.ts';
import { noticeReporter } from './setup-notices.ts';
import type { ScreenState } from './state.ts';

export interface ConversationNeeds {
  terminal: Terminal;
  ambient: Ambient;
  choices: Choices;
  /** How a message is delivered during a turn, by default. */
  busyInput: BusyInput;
  services: Promise<Services>;
  /** Something to draw: frequent, not urgent. */
  changed(): void;
  /** Something worth a notification. */
  happened(what: 'turn-over' | 'request'): void;
  /** An error of a background operation. */
  failed(error: unknown): void;
}

/** The conversation, with functions for the screen only. */
export interface LiveConversation extends Conversation {
  state(): ScreenState;
  /** Messages that are still being sent. */
  sending(): Message | undefined;
  agents(): readonly AgentRow[];
  /** A turn runs in another process. */
  isElsewhere(): boolean;
  tell(notice: Notice): void;
  close(): void;
}

const OWNER_LOOK_MS = 2_000;

export function createConversation(needs: ConversationNeeds): LiveConversation {
  const place = createConversationState(needs.choices);
  const { changed } = needs;
  void needs.services.then(
    (services) => {
      place.services = services;
      changed();
    },
    () => undefined, // the caller that opened them reports it
  );
  let lastSaid: Promise<void> = Promise.resolve();
  /** Messages are sent in order: the next one waits for the first. */
  const afterWords = (act: () => Promise<void>): Promise<void> => {
    const said = lastSaid.then(act);
    lastSaid = said.catch(() => undefined); // reported to the sender
    return said;
  };

  return {
    state: () => place.reader.state(),
    sessionId: () => place.sessionId,
    isBusy: () => place.sending !== undefined || place.reader.state().isRunning,
    choice: () => place.choice,
    queue: () => place.queue,
    request: () => place.asked?.request,
    sending: () => place.sending,
    agents: () => place.agents?.rows() ?? [],
    context: () => contextOf(needs, place),
    readContext: () => readContext(needs, place),
    isElsewhere: () => runsInOtherProcess(place),
    tell(notice) {
      place.reader.notify(notice);
      changed();
    },
    say(message, how = needs.busyInput) {
      const words = { message, how, callingOff: new AbortController() };
      place.onTheirWay.push(words);
      return afterWords(() => sayNow(needs, place, words));
    },
    async runOwn(command) {
      const services = await needs.services;
      const run = async (): Promise<void> => {
        const { sessionId } = place;
        if (sessionId !== undefined) return services.sessions.commands.run(sessionId, command);
        await startInFolder(
          needs.choices,
          { services, task: command, reporter: noticeReporter(needs, place) },
          ({ folder }) => startWithCommand(place, services, { folder, command }),
        );
        if (place.sessionId !== undefined) await followHere(needs, place, { sessionId: place.sessionId, isNew: true });
      };
      return place.sessionId === undefined ? afterWords(run) : run();
    },
    stop: () => stop(place),
    tryNow: () => tryNow(place),
    async respond(answer) {
      const { asked, services } = place;
      if (!asked || !services) return;
      place.asked = undefined;
      changed();
      const { terminal, choices } = needs;
      try {
        await sendAnswer({ terminal, services, dir: choices.dir }, asked, answer);
      } catch (error) {
        // The answer was refused: ask again.
        place.askedId = undefined;
        throw error;
      } finally {
        place.agents?.look();
        refreshRequest(needs, place);
      }
    },
    change: (patch) => changeChoice(needs, place, patch),
    async open(sessionId) {
      const { sessions } = await needs.services;
      const { settings } = await sessions.read(sessionId);
      resetConversation(place);
      place.choice = { ...place.choice, ...choiceOf(settings) };
      await followHere(needs, place, { sessionId, isNew: false });
    },
    async leave() {
      resetConversation(place);
      changed();
    },
    close: () => resetConversation(place),
  };
}

async function stop(place: ConversationState): Promise<string | undefined> {
  const { services, sessionId } = place;
  const { isRunning } = place.reader.state();
  const words = isRunning ? undefined : cancelWaiting(place);
  if (!services || sessionId === undefined || !(isRunning || place.endsAtOnce)) return words;
  if (isRunning) assertRunsHere(services, sessionId);
  await services.sessions.turns.stop(sessionId);
  return words;
}

function tryNow({ services, sessionId, reader }: ConversationState): boolean {
  if (!services || sessionId === undefined || reader.state().retry?.phase !== 'waiting') return false;
  try {
    services.sessions.turns.tryNow(sessionId);
    return true;
  } catch (error) {
    // The wait is just over, or another process runs the turn.
    if (isAppError(error)) return false;
    throw error;
  }
}

async function sayNow(needs: ConversationNeeds, place: ConversationState, words: PendingWords): Promise<void> {
  const services = await needs.services;
  if (words.callingOff.signal.aborted) return;
  place.sending = words.message;
  needs.changed();
  try {
    const saying = { services, words, place };
    const isNew = place.sessionId === undefined;
    if (place.sessionId === undefined)
      await startSessionWith(needs.choices, { ...saying, reporter: noticeReporter(needs, place) });
    else await sendNextMessage(place.sessionId, saying);
    const { sessionId } = place;
    if (sessionId === undefined) return;
    if (place.endsAtOnce) await services.sessions.turns.stop(sessionId);
    if (!place.isReplayed) await followHere(needs, place, { sessionId, isNew });
    // The message is on the screen before it stops being pending.
    await waitUntilShown(place, (await services.sessions.read(sessionId)).lastSeq);
  } finally {
    place.onTheirWay = place.onTheirWay.filter((one) => one !== words);
    place.endsAtOnce = false;
    place.sending = undefined;
    needs.changed();
  }
}

/** Resolves when the stored events are on the screen; then continues with live events. */
function followHere(
  needs: ConversationNeeds,
  place: ConversationState,
  { sessionId, isNew }: Pick<Following, 'sessionId' | 'isNew'>,
): Promise<void> {
  const { services, leaving } = place;
  if (!services) throw new Error('followed before the services are there');
  place.sessionId = sessionId;
  return new Promise((resolve) => {
    const following = followSession({
      services,
      sessionId,
      isNew,
      reader: place.reader,
      signal: leaving.signal,
      changed() {
        if (leaving.signal.aborted) return;
        settleWaiting(place);
        refreshAgents(needs, place);
        refreshRequest(needs, place);
        watchOwner(needs, place);
        needs.changed();
      },
      queueChanged: (queue) => (place.queue = queue),
      happened: (event) => noteEvent(needs, place, event),
      replayed() {
        place.isReplayed = true;
        resolve();
      },
    });
    void following.catch((error: unknown) => leaving.signal.aborted || needs.failed(error)).finally(resolve);
  });
}

/** Events that change the session's settings. */
const SETTLING = new Set([
  'RunStarted',
  'RunFinished',
  'RunError',
  'CUSTOM:svc.plan',
  'CUSTOM:svc.impostazioni-sessione',
]);

function noteEvent(needs: ConversationNeeds, place: ConversationState, event: SessionEvent): void {
  if (event.type === 'RunFinished' || event.type === 'RunError') {
    // The old one is shown until the new one is read.
    if (place.window) place.window = { ...place.window, model: null };
    needs.happened('turn-over');
  }
  if (SETTLING.has(event.type === 'CUSTOM' ? `CUSTOM:${event.name}` : event.type)) void refreshChoice(needs, place);
}

async function refreshChoice(needs: ConversationNeeds, place: ConversationState): Promise<void> {
  const { services, sessionId, leaving } = place;
  if (!services || sessionId === undefined) return;
  const row = await services.sessions.read(sessionId).catch(() => undefined); // deleted in the meantime
  if (!row || leaving.signal.aborted) return;
  place.choice = { ...place.choice, ...choiceOf(row.settings) };
  needs.changed();
}

type Settings = Awaited<ReturnType<Services['sessions']['read']>>['settings'];

function choiceOf({ model, reasoning, permissions, mode }: Settings): Omit<SessionChoice, 'isUnattended'> {
  return { model, effort: reasoning?.effort, level: permissions, mode };
}

function refreshAgents({ ambient, changed, ...needs }: ConversationNeeds, place: ConversationState): void {
  const { services, sessionId } = place;
  const { isRunning, hasAgents } = place.reader.state();
  const isWatched = services !== undefined && sessionId !== undefined && isRunning && hasAgents && place.isReplayed;
  if (!isWatched) {
    place.agents?.stop();
    place.agents = undefined;
  } else {
    const seen = (): void => {
      refreshRequest({ ambient, changed, ...needs }, place);
      changed();
    };
    place.agents ??= watchAgents({ services, ambient, sessionId, changed: seen });
  }
}

/** Shows the open request: this session's own card before those of its sub-agents. */
function refreshRequest(needs: ConversationNeeds, place: ConversationState): void {
  const { services, sessionId, leaving } = place;
  if (!services || sessionId === undefined || !place.isReplayed) return;
  const asking = askingNow(place, sessionId);
  if (asking?.card.requestId === place.askedId) return;
  place.askedId = asking?.card.requestId;
  place.asked = undefined;
  needs.changed();
  if (!asking) return;
  const { card, sessionId: asker, task } = asking;
  const show = async (): Promise<void> => {
    const ready = await readyRequest(services, asker, card);
    const request = task === undefined ? ready : { ...ready, agentTask: task };
    if (leaving.signal.aborted || place.askedId !== card.requestId) return;
    const asked = { sessionId: asker, answeredFrom: sessionId, request };
    const { terminal, choices } = needs;
    const unasked = place.choice.isUnattended ? unattendedAnswer(card.kind) : undefined;
    if (unasked) return sendAnswer({ terminal, services, dir: choices.dir }, asked, unasked);
    place.asked = asked;
    needs.happened('request');
    needs.changed();
  };
  void show().catch((error: unknown) => leaving.signal.aborted || needs.failed(error));
}

function askingNow(
  place: ConversationState,
  sessionId: string,
): (Omit<AgentAsking, 'task'> & Partial<AgentAsking>) | undefined {
  const { pending } = place.reader.state();
  // A request of another process is answered there.
  if (pending && !runsInOtherProcess(place)) return { sessionId, card: pending };
  return pending ? undefined : place.agents?.asking();
}

/** The end of a process that ran a session is detected by reading the session. */
function watchOwner(needs: ConversationNeeds, place: ConversationState): void {
  const { services, sessionId } = place;
  if (!services || sessionId === undefined || place.cancelOwnerLook || !runsInOtherProcess(place)) return;
  place.cancelOwnerLook = needs.ambient.timer(OWNER_LOOK_MS, () => {
    place.cancelOwnerLook = undefined;
    if (place.sessionId !== sessionId) return;
    void refreshChoice(needs, place).finally(() => watchOwner(needs, place));
  });
}

async function changeChoice(
  needs: ConversationNeeds,
  place: ConversationState,
  patch: Parameters<Conversation['change']>[0],
): Promise<void> {
  const { services, sessionId } = place;
  if (services && sessionId !== undefined) {
    const { model, effort, level, mode } = patch;
    const settings = {
      ...(model && { model }),
      ...(effort && { reasoning: { effort } }),
      ...(level && { permissions: level }),
      ...(mode && { mode }),
    };
    if (Object.keys(settings).length > 0) await services.sessions.changeSettings(sessionId, settings);
  }
  place.choice = { ...place.choice, ...patch };
  needs.changed();
}
