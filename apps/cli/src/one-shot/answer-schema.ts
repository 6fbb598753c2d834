import type { ValidateFunction } from 'ajv';

/** The JSON schema of the final answer. */
export interface AnswerSchema {
  /** The instructions for the model, at the end of the prompt. */
  demand: string;
  /** The value in the answer; else the problem, as text for the model. */
  check(text: string): { value: unknown } | { problems: string };
}

const MAX_PROBLEMS = 10;

/** Throws SyntaxError for invalid JSON, and an error for an invalid schema of draft 2020-12. */
export async function readAnswerSchema(text: string): Promise<AnswerSchema> {
  const schema = JSON.parse(text) as object;
  // In a bundle the whole module is its default export.
  const { default: ajv } = await import('ajv/dist/2020.js');
  const validate = new ajv.Ajv2020({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
  return {
    demand: `Your last message must be one JSON value that fits this JSON Schema, and nothing else:\n${JSON.stringify(schema)}`,
    check: (answer) => checkAnswer(answer, validate),
  };
}

function checkAnswer(text: string, validate: ValidateFunction): ReturnType<AnswerSchema['check']> {
  const found = jsonIn(text);
  if (!found) return { problems: 'Your last message is no JSON value.' };
  if (validate(found.value)) return found;
  const problems = (validate.errors ?? []).map(
    ({ instancePath, message }) => `- ${instancePath || 'the value'} ${message}`,
  );
  return { problems: `Your last message does not fit the schema:\n${problems.slice(0, MAX_PROBLEMS).join('\n')}` };
}

/** The whole text, or its only fenced block. */
function jsonIn(text: string): { value: unknown } | undefined {
  const fenced = [...text.matchAll(/^```(?:json)?[ \t]*\n(.*?)^```[ \t]*$/gms)].map(([, inside = '']) => inside);
  for (const candidate of [text, ...(fenced.length === 1 ? fenced : [])]) {
    try {
      return { value: JSON.parse(candidate) };
    } catch {
      // Not this one.
    }
  }
  return undefined;
}
