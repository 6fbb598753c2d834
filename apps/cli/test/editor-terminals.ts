import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

interface Asked {
  command: string;
  args?: string[];
  env?: { name: string; value: string }[];
  cwd?: string | null;
  outputByteLimit?: number | null;
}

interface Opened {
  asked: Asked;
  child: ChildProcess;
  output: string;
  ended: Promise<unknown>;
  isKilled: boolean;
  isReleased: boolean;
}

/** The terminals of an editor, with real commands in them. */
export interface EditorTerminals {
  opened: Map<string, Opened>;
  /** Set: the editor opens none. */
  refuses: boolean;
  create(asked: Asked): { terminalId: string };
  output(named: { terminalId: string }): { output: string; truncated: boolean };
  waitForExit(named: { terminalId: string }): Promise<{ exitCode: number | null; signal: string | null }>;
  kill(named: { terminalId: string }): Record<string, never>;
  release(named: { terminalId: string }): Record<string, never>;
  /** Ends open terminals. */
  end(): void;
}

export function editorTerminals(): EditorTerminals {
  const opened = new Map<string, Opened>();
  const one = ({ terminalId }: { terminalId: string }): Opened => {
    const found = opened.get(terminalId);
    if (!found || found.isReleased) throw new Error(`no terminal ${terminalId}`);
    return found;
  };
  const end = ({ child }: Opened): void => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid);
  };
  return {
    opened,
    refuses: false,
    create(asked) {
      if (this.refuses) throw new Error('no terminals today');
      const { command, args = [], env = [], cwd } = asked;
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const child = spawn(command, args, {
        env: { ...process.env, ...own, IN_EDITOR: 'yes' },
        cwd: cwd ?? undefined,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      const terminal: Opened = {
        asked,
        child,
        output: '',
        ended: once(child, 'close'),
        isKilled: false,
        isReleased: false,
      };
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => (terminal.output += text));
      }
      const terminalId = `terminal-${opened.size + 1}`;
      opened.set(terminalId, terminal);
      return { terminalId };
    },
    output(named) {
      const { output, asked } = one(named);
      const limit = asked.outputByteLimit ?? output.length;
      return { output: output.slice(-limit), truncated: output.length > limit };
    },
    async waitForExit(named) {
      const { child, ended } = one(named);
      await ended;
      return { exitCode: child.exitCode, signal: child.signalCode };
    },
    kill(named) {
      const terminal = one(named);
      terminal.isKilled = true;
      end(terminal);
      return {};
    },
    release(named) {
      const terminal = one(named);
      end(terminal);
      terminal.isReleased = true;
      return {};
    },
    end() {
      for (const terminal of opened.values()) end(terminal);
    },
  };
}
