import { parentPort } from 'node:worker_threads';
import { type DiskAnswer, type DiskRequest, FACTS, type FactsAnswer, type FactsRequest } from './disk-messages.ts';
import { factsNow } from './facts-now.ts';
import { keepNow } from './keep-now.ts';

/** The thread that looks at the files of large folders: a thousand questions to the disk take some milliseconds. */
parentPort?.on('message', (request: DiskRequest) => {
  let answer: DiskAnswer;
  try {
    answer = request.kind === 'facts' ? numbersOf(request) : keepNow(request);
  } catch (error) {
    answer = error instanceof Error ? error.message : String(error);
  }
  parentPort?.postMessage(answer, answer instanceof Float64Array ? [answer.buffer] : []);
});

function numbersOf({ paths, followsLinks }: FactsRequest): FactsAnswer {
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
