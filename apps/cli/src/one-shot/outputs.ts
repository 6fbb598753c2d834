import { writeAction } from '@fucina/conversation/reader';
import { cleanText } from '../clean-text.ts';
import type { OutputFormat } from '../config/keys.ts';
import { type CiNeeds, githubOutput, gitlabOutput, junitOutput } from './ci-outputs.ts';
import type { Screen } from './screen.ts';
import type { TurnOutput } from './turn-output.ts';

interface OutputNeeds extends CiNeeds {
  screen: Screen;
}

/** The options that decide how an answer is printed. */
export interface OutputChoice {
  format: OutputFormat;
  isQuiet: boolean;
  /** Present: the answer is a value, printed whole at the end. */
  schema?: unknown;
}

export function createOutput({ format, isQuiet, schema }: OutputChoice, needs: OutputNeeds): TurnOutput {
  const { terminal } = needs;
  switch (format) {
    case 'json':
      return { push: () => undefined, end: (result) => terminal.out(JSON.stringify(result)) };
    case 'stream-json':
      return {
        push: (_event, json) => terminal.out(json),
        ask({ sessionId, task, card }) {
          // Programs read actions as they are stored.
          const request = card.kind === 'approval' ? { ...card, action: writeAction(card.action) } : card;
          terminal.out(JSON.stringify({ type: 'agent_request', sessionId, task, request }));
        },
        end: (result) => terminal.out(JSON.stringify({ type: 'result', ...result })),
      };
    case 'github':
      return githubOutput(needs);
    case 'gitlab':
      return gitlabOutput(needs);
    case 'junit':
      return junitOutput(needs);
    case 'text':
      if (schema) return finalValue(needs);
      return terminal.io.stdout.isTTY ? spokenText(needs) : finalText(needs, isQuiet);
  }
}

/** On a terminal: streams everything the model writes. */
function spokenText({ screen }: OutputNeeds): TurnOutput {
  return {
    push(event) {
      if (event.type === 'TextMessageStart') screen.paragraph();
      if (event.type === 'TextMessageContent') screen.text(cleanText(event.delta));
    },
    end({ plan, text }) {
      screen.end();
      if (plan) screen.text(`${cleanText(text)}\n`);
    },
  };
}

function finalValue({ terminal }: OutputNeeds): TurnOutput {
  return {
    push: () => undefined,
    end({ structured }) {
      if (structured !== undefined) terminal.out(JSON.stringify(structured, null, 2));
    },
  };
}

/** Into a file or a pipe: only the last message. The model's earlier text is progress. */
function finalText({ screen, terminal }: OutputNeeds, isQuiet: boolean): TurnOutput {
  let text = '';
  const { errorStyle } = terminal;
  return {
    push(event) {
      if (event.type === 'TextMessageContent') text += event.delta;
      // A message followed by more work was not the last.
      if (event.type !== 'ToolCallStart' && event.type !== 'TextMessageStart') return;
      if (text && !isQuiet) for (const line of cleanText(text).split('\n')) screen.line(errorStyle.muted(line));
      text = '';
    },
    end(result) {
      // A plan is not a message, but it is the answer.
      if (result.plan) text = result.text;
      if (text) terminal.io.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
  };
}
