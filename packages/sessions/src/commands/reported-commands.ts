import { type SessionEvent, textStart } from '@fucina/shared';
import { CUSTOM_EVENTS } from '../state/custom-events.ts';

/** The user's own commands, collected for the model while the user shares them. */
export interface ReportedCommands {
  apply(event: SessionEvent): void;
  /** The commands that the next message must report; clears the list. */
  take(): string[];
}

const MAX_OUTPUT = 4_000;

export function createUserCommands(): ReportedCommands {
  const running = new Map<string, { command: string; output: string }>();
  let waiting: string[] = [];
  let isReported = false;

  const finish = ({ comandoId, codice }: Extract<SessionEvent, { type: 'ComandoUtenteFinito' }>): void => {
    const own = running.get(comandoId);
    running.delete(comandoId);
    if (!own || !isReported) return;
    const ending = codice === undefined ? 'it did not end by itself' : `exit code ${codice}`;
    waiting.push(`The user ran a shell command (${ending}):\n$ ${own.command}\n${own.output}`);
  };

  return {
    apply(event) {
      switch (event.type) {
        case 'ComandoUtenteIniziato':
          running.set(event.comandoId, { command: event.comando, output: '' });
          return;
        case 'ToolCallOutput': {
          const own = running.get(event.toolCallId);
          if (own && own.output.length < MAX_OUTPUT) own.output = textStart(own.output + event.delta, MAX_OUTPUT);
          return;
        }
        case 'ComandoUtenteFinito':
          return finish(event);
        case 'CUSTOM':
          if (event.name !== CUSTOM_EVENTS.reportsCommands) return;
          isReported = (event.value as { acceso: boolean }).acceso;
          if (!isReported) waiting = [];
          return;
        default:
          return;
      }
    },
    take() {
      const reported = waiting;
      waiting = [];
      return reported;
    },
  };
}
