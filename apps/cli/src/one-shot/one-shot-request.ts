import type { Choices } from '../choices.ts';
import type { OutputFormat } from '../config/keys.ts';
import type { AnswerSchema } from './answer-schema.ts';
import type { Attachments } from './attachments.ts';
import type { StreamInput } from './stream-input.ts';

/** A prompt with all chosen options. */
export interface OneShotRequest extends Choices {
  /** Absent when an interrupted turn is resumed, and when messages come from `input`. */
  task: string | undefined;
  attachments: Attachments;
  testCommand: string | undefined;
  maxModelCalls: number | undefined;
  format: OutputFormat;
  schema: AnswerSchema | undefined;
  /** A program that talks with the agent. */
  input: StreamInput | undefined;
  isQuiet: boolean;
  /** A user talks with the agent line by line, on a terminal without the full screen. */
  isByLines: boolean;
}
