// The kinds of failure around a model that bench/agent.mjs plays to each agent, on each wire that it speaks. Each is the list
// of replies before the rest of the work, in the form of packages/testkit's scripted model server.
const status = (code, more) => ({ fault: { kind: 'status', status: code, ...more } });
const inText = (fault) => ({ text: ['I look ', 'at the ', 'folder.'], fault });
const inCall = (fault) => (toolCall) => ({ text: 'I look.', toolCalls: [{ ...toolCall, pieces: 4 }], fault });

/** Name → replies, or a function of the agent's own call that makes one. */
export const FAILURES = {
  'connection closed before the answer': { fault: { kind: 'refuse' } },
  'status 500': status(500),
  'status 502 with a page': status(502, { body: '<html><h1>Bad gateway</h1></html>' }),
  'status 529, overloaded': status(529),
  'status 429 with Retry-After': status(429, { retryAfter: 1 }),
  'status 429 without Retry-After': status(429),
  'status 503, three times': [status(503), status(503), status(503)],
  'stream without a byte': { fault: { kind: 'empty' } },
  'page of a sign-in with status 200': { fault: { kind: 'html' } },
  'error event before any text': inText({ kind: 'error-event', after: 0, message: 'overloaded' }),
  'error event in the text': inText({ kind: 'error-event', after: 2, message: 'overloaded' }),
  'reset in the text': inText({ kind: 'cut', after: 2 }),
  'end in the text': inText({ kind: 'end-early', after: 2 }),
  'silence in the text': inText({ kind: 'hang-mid-stream', after: 2 }),
  'reset in the reasoning': { reasoning: ['Let me ', 'think.'], fault: { kind: 'cut', after: 1 } },
  'reset in a call': inCall({ kind: 'cut', after: 3 }),
  'end in a call': inCall({ kind: 'end-early', after: 3 }),
  'broken JSON in the stream': inText({ kind: 'broken-json', after: 2 }),
  'answer without content': { text: [] },
  'reasoning only': { reasoning: 'I should look at the folder.', text: [] },
  'answer cut at the output limit': { text: 'I look at the', finish: 'length' },
  'call whose arguments are no JSON': (toolCall) => ({
    toolCalls: [{ ...toolCall, arguments: `${JSON.stringify(toolCall.arguments).slice(0, -2)}` }],
  }),
};

/** The failure, then the call, then the end. Requests without tools are for titles and the like. */
export function failingModel(failure, toolCall) {
  const made = typeof failure === 'function' ? failure(toolCall) : failure;
  const left = [...[made].flat(), { toolCalls: [toolCall] }];
  const state = { isFinished: false };
  const script = ({ body }) => {
    if (!body.tools?.length) return { text: 'Title' };
    const next = left.shift();
    if (next) return next;
    state.isFinished = true;
    return { text: 'Done.' };
  };
  return { script, state };
}
