import { parentPort } from 'node:worker_threads';
import { factsNow } from './facts-now.ts';
import { FACTS, type StampAnswer, type StampRequest } from './stamp-messages.ts';

/** The thread that looks at the files of large folders: a thousand questions to the disk take some milliseconds. */
parentPort?.on('message', (request: StampRequest) => {
  let answer: StampAnswer;
  try {
    answer = numbersOf(request);
  } catch (error) {
    answer = error instanceof Error ? error.message : String(error);
  }
  parentPort?.postMessage(answer, typeof answer === 'string' ? [] : [answer.buffer]);
});

function numbersOf({ paths, followsLinks }: StampRequest): Float64Array<ArrayBuffer> {
  const numbers = new Float64Array(paths.length * FACTS.length).fill(Number.NaN);
  for (const [at, path] of paths.entries()) {
    const facts = factsNow(path, followsLinks);
    if (facts)
      numbers.set(
        FACTS.map((name) => facts[name]),
        at * FACTS.length,
      );
  }
  return numbers;
}
