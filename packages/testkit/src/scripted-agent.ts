import { fileURLToPath } from 'node:url';

/** One thing the scripted agent does; what its own requests come to it says as text. */
export type AgentStep =
  | { say: string }
  | { think: string }
  | { call: string }
  | { plan: readonly string[] }
  | { read: string | { path: string; line?: number; limit?: number } }
  | { write: { path: string; content: string } }
  | {
      run: {
        command: string;
        args?: readonly string[];
        cwd?: string;
        env?: readonly { name: string; value: string }[];
      };
    }
  | { permission: { kind?: string; title: string; rawInput?: unknown; path?: string; options?: readonly string[] } }
  /** Says the prompt it was given. */
  | { echo: true }
  /** Waits until it is told to stop. */
  | { wait: true }
  /** Waits for ever. */
  | { deaf: true }
  | { exit: number }
  | { error: number }
  | { stop: string }
  | { noise: string }
  | { flood: number };

export interface AgentScript {
  initialize?: 'hang' | { error: number };
  newSession?: { error: number };
  /** What it says of itself. */
  about?: { name: string; version: string };
  /** Whether it takes pictures. */
  images?: boolean;
  version?: number;
  /** The steps of each turn; after the last it says `done`. */
  turns: readonly (readonly AgentStep[])[];
}

/** The command of an agent of the Agent Client Protocol that follows the script. */
export function scriptedAgent(script: AgentScript): { command: string; args: string[] } {
  const program = fileURLToPath(new URL('../agent/scripted-agent.mjs', import.meta.url));
  return { command: process.execPath, args: [program, JSON.stringify(script)] };
}
