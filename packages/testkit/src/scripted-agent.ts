import { fileURLToPath } from 'node:url';

/** One step of the scripted agent; it sends the results of its own requests as text. */
export type AgentStep =
  | { say: string }
  | { think: string }
  | { call: string }
  | { plan: readonly string[] }
  | { mode: string }
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
  /** Echoes the prompt. */
  | { echo: true }
  /** Waits until it is cancelled. */
  | { wait: true }
  /** Never ends. */
  | { deaf: true }
  | { exit: number }
  | { error: number }
  | { stop: string }
  /** Tokens of the turn, and the cost of the conversation so far. */
  | {
      usage: {
        totalTokens: number;
        inputTokens: number;
        outputTokens: number;
        cachedReadTokens?: number;
        costUsd?: number;
      };
    }
  | { noise: string }
  | { flood: number };

export interface AgentScript {
  initialize?: 'hang' | { error: number };
  newSession?: { error: number };
  /** Its name and version. */
  about?: { name: string; version: string };
  /** Whether it supports images. */
  images?: boolean;
  version?: number;
  /** The steps of each turn; after the last it says `done`. */
  turns: readonly (readonly AgentStep[])[];
}

/** The command of an Agent Client Protocol agent that follows the script. */
export function scriptedAgent(script: AgentScript): { command: string; args: string[] } {
  const program = fileURLToPath(new URL('../agent/scripted-agent.mjs', import.meta.url));
  return { command: process.execPath, args: [program, JSON.stringify(script)] };
}
