import { frames, type Json, type Vendor, type VendorPart } from './vendor.ts';

/** Gemini: the signatures of thoughts, texts and calls come back with their parts; calls have one in all turns. */
export const geminiRules: Vendor = {
  frames: (parts, answer) =>
    frames([
      ...parts.map((part, index) => ({
        candidates: [{ index: 0, content: { role: 'model', parts: [sentPart(part, answer, index)] } }],
      })),
      {
        candidates: [{ index: 0, content: { role: 'model', parts: [] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      },
    ]),
  givenBack: (parts, answer) => parts.map((part, index) => backPart(sentPart(part, answer, index))),
  answersIn: (body) =>
    contentsOf(body).flatMap(({ role, parts }) => (role === 'model' ? [(parts as Json[]).map(backPart)] : [])),
  nameOf: (answer) => (answer as Json[])[0]?.['thoughtSignature'] as string | undefined,
  foreign(answer) {
    const calls = (answer as Json[]).filter((part) => part['functionCall'] !== undefined);
    return calls.length > 0 && calls[0]?.['thoughtSignature'] === undefined
      ? 'Function call is missing a thought_signature in functionCall parts.'
      : undefined;
  },
  refusal(body) {
    const contents = contentsOf(body);
    if (contents.length === 0) return 'contents is not specified';
    if (contents[0]?.['role'] !== 'user') return 'Please ensure that the first turn is a user role';
    const names = contents.flatMap(({ parts }) =>
      (parts as Json[]).flatMap(({ functionCall }) => (functionCall ? [String((functionCall as Json)['name'])] : [])),
    );
    return names.every((name) => /^[\w.-]{1,64}$/.test(name)) ? undefined : 'Invalid function name';
  },
};

const contentsOf = (body: Json): Json[] => (body['contents'] ?? []) as Json[];

function sentPart(part: VendorPart, answer: number, index: number): Json {
  const thoughtSignature = `signature-${answer}-${index}`;
  if ('reasoning' in part) return { text: part.reasoning, thought: true, thoughtSignature };
  if ('text' in part) return { text: part.text, thoughtSignature };
  return { functionCall: { name: part.call.name, args: part.call.arguments }, thoughtSignature };
}

/** Ids of calls are not the vendor's. */
function backPart(part: Json): Json {
  const { functionCall, ...rest } = part;
  if (functionCall === undefined) return rest;
  const { name, args } = functionCall as Json;
  return { ...rest, functionCall: { name, args } };
}
