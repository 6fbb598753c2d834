import { later } from '../../ambient.ts';
import type { DiagramAnswer, DiagramColours, DiagramRequest } from '../../guest/diagram.ts';
import { api } from '../../wire/client.ts';

export interface Drawing {
  /** As the address of an image: nothing in it can run or load. */
  url: string;
  width: number;
  height: number;
}

/** The text is not a diagram; the message is that of the drawing library. */
export class DiagramError extends Error {
  override readonly name = 'DiagramError';
}

const MAX_MS = 15_000;
const REMEMBERED = 40;

interface Waiting {
  resolve: (drawing: Drawing) => void;
  reject: (error: Error) => void;
  cancel: () => void;
}

/** The sandboxed page that draws: one for the whole window, created at the first diagram. */
let frame: Promise<Window> | undefined;
const waiting = new Map<number, Waiting>();
const drawn = new Map<string, Promise<Drawing>>();
let lastId = 0;

function openFrame(): Promise<Window> {
  const element = document.createElement('iframe');
  element.className = 'diagram-frame';
  element.sandbox.add('allow-scripts');
  element.src = api.address('get', '/ext/pages/diagrams');
  element.setAttribute('aria-hidden', 'true');
  element.tabIndex = -1;
  return new Promise((resolve, reject) => {
    const fail = () => {
      frame = undefined;
      element.remove();
      reject(new Error('the page that draws diagrams did not load'));
    };
    const cancel = later(MAX_MS, fail);
    addEventListener('message', ({ source, data }: MessageEvent<DiagramAnswer>) => {
      if (source === null || source !== element.contentWindow) return;
      if (data.type === 'ready') {
        cancel();
        resolve(element.contentWindow as Window);
      } else if (data.type === 'diagram') take(data);
    });
    document.body.append(element);
  });
}

function take(answer: Extract<DiagramAnswer, { type: 'diagram' }>): void {
  const asked = waiting.get(answer.id);
  waiting.delete(answer.id);
  asked?.cancel();
  if ('problem' in answer) asked?.reject(new DiagramError(answer.problem));
  else {
    const { svg, width, height } = answer;
    asked?.resolve({ url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, width, height });
  }
}

async function ask(text: string, colours: DiagramColours): Promise<Drawing> {
  frame ??= openFrame();
  const target = await frame;
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const cancel = later(MAX_MS, () => {
      waiting.delete(id);
      reject(new DiagramError('drawing took too long'));
    });
    waiting.set(id, { resolve, reject, cancel });
    const request: DiagramRequest = { type: 'diagram', id, text, colours };
    // An opaque origin cannot be named; the frame was loaded from this server and cannot navigate.
    target.postMessage(request, '*');
  });
}

/** Draws a diagram in these colors, each once. Rejects with DiagramError if the text is not a diagram. */
export function draw(text: string, colours: DiagramColours): Promise<Drawing> {
  const key = JSON.stringify([text, colours]);
  const known = drawn.get(key);
  if (known) return known;
  const drawing = ask(text, colours);
  drawn.set(key, drawing);
  const [oldest] = drawn.keys();
  if (drawn.size > REMEMBERED && oldest !== undefined) drawn.delete(oldest);
  drawing.catch((error: unknown) => {
    // A page that did not load may load later.
    if (!(error instanceof DiagramError)) drawn.delete(key);
  });
  return drawing;
}
