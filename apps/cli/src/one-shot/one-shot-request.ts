import type { Choices } from '../choices.ts';
import type { OutputFormat } from '../config/keys.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { Attachments } from './attachments.ts';
import type { StreamInput } from './stream-input.ts';

/** An assignment with everything that was chosen for it. */
export interface OneShotRequest extends Choices {
  /** Absent when an interrupted turn goes on, and where the words come from `input`. */
  task: string | undefined;
  attachments: Attachments;
  testCommand: string | undefined;
  maxModelCalls: number | undefined;
  format: OutputFormat;
  schema: AnswerSchema | undefined;
  /** A program that talks with the agent. */
  input: StreamInput | undefined;
  isQuiet: boolean;
  /** A user talks with the agent, a line at a time, on a terminal that is not drawn on. */
  isByLines: boolean;
}
