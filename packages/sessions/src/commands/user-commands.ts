import type { Ambient, SessionEvent, WriteReach } from '@fucina/shared';
import { sessionsError } from '../errors.ts';
import type { Registry } from '../registry.ts';
import { CUSTOM_EVENTS, customEvent } from '../state/custom-events.ts';
import type { CommandPlace } from '../state/fold.ts';
import type { SessionSettings } from '../state/session.ts';
import type { Turns } from '../turn/turns.ts';
import type { FileChanges } from '../undo/file-changes.ts';
import type { CommandRunner, UserCommandOutcome } from './command-runner.ts';
import type { Processes } from './processes.ts';

/** The user's own commands (`!`): they run beside the model's turn and do not make the session live. */
export interface UserCommands {
  /** Resolves once the start is on disk. SESSION_NOT_READY on an interrupted session. */
  run(sessionId: string, command: string): Promise<void>;
  /** Resets the working directory to the session's folder. */
  choosePlace(sessionId: string, place: CommandPlace): Promise<void>;
  /** Whether the model is reported about these commands; switching off also drops the unreported ones. */
  tellModel(sessionId: string, isReported: boolean): Promise<void>;
  settings(sessionId: string): Promise<{ place: CommandPlace; isReported: boolean }>;
  forget(sessionId: string): void;
  /** Resolves when none runs. */
  settled(): Promise<void>;
}

interface OwnCommandsNeeds {
  ambient: Ambient;
  registry: Registry;
  processes: Processes;
  turns: Turns;
  changes: Pick<FileChanges, 'own'>;
  runner: CommandRunner;
}

/**
 * The user types these: the level limits only the agent. Only read-only sessions also restrict the user's commands.
 */
export function createUserCommands(needs: OwnCommandsNeeds): UserCommands {
  const { ambient, registry, turns } = needs;
  const places = new Map<string, string>();
  const running = new Set<Promise<void>>();

  const append = (sessionId: string, events: readonly SessionEvent[]): void =>
    registry.append(registry.get(sessionId), events);

  const follow = async (sessionId: string, commandId: string, command: string): Promise<void> => {
    const { folder } = registry.get(sessionId).header;
    const stop = new AbortController();
    const isOver = needs.changes.own(registry.get(sessionId));
    const forget = needs.processes.add(sessionId, commandId, { stop: () => stop.abort('user') });
    const outcome = await needs.runner
      .runOwn({
        sessionId,
        commandId,
        command,
        folder,
        cwd: places.get(sessionId) ?? folder,
        writes: reachOf(registry.get(sessionId).settings),
        signal: stop.signal,
        onText: (delta) => append(sessionId, [{ type: 'ToolCallOutput', toolCallId: commandId, delta }]),
      })
      .finally(() => {
        forget();
        isOver();
      });
    places.set(sessionId, outcome.cwd);
    append(sessionId, [finished(commandId, outcome)]);
  };

  return {
    async run(sessionId, command) {
      turns.assertOpen();
      const record = registry.get(sessionId);
      if (record.state === 'interrupted') throw sessionsError('SESSION_NOT_READY', { reason: 'turn-interrupted' });
      const comandoId = ambient.newId();
      registry.append(record, [{ type: 'ComandoUtenteIniziato', comandoId, comando: command }]);
      const one = follow(sessionId, comandoId, command)
        .catch((error: unknown) => ambient.log.error('own-command.failed', { sessionId, error }))
        .finally(() => running.delete(one));
      running.add(one);
    },

    async choosePlace(sessionId, dove) {
      const record = registry.get(sessionId);
      if (record.fold.commandPlace !== dove)
        registry.append(record, [customEvent(CUSTOM_EVENTS.commandPlace, { dove })]);
      places.delete(sessionId);
    },

    async tellModel(sessionId, acceso) {
      const record = registry.get(sessionId);
      if (record.fold.reportsCommands !== acceso) {
        registry.append(record, [customEvent(CUSTOM_EVENTS.reportsCommands, { acceso })]);
      }
    },

    async settings(sessionId) {
      const { commandPlace, reportsCommands } = registry.get(sessionId).fold;
      return { place: commandPlace, isReported: reportsCommands };
    },

    forget: (sessionId) => void places.delete(sessionId),
    settled: async () => void (await Promise.all(running)),
  };
}

function reachOf({ permissions }: SessionSettings): WriteReach {
  return permissions === 'Read only' ? 'nothing' : 'anything';
}

function finished(comandoId: string, { exitCode, enforcement, problem }: UserCommandOutcome): SessionEvent {
  return {
    type: 'ComandoUtenteFinito',
    comandoId,
    ...(exitCode !== null && { codice: exitCode }),
    enforcement,
    ...(problem && { errore: problem }),
  };
}
