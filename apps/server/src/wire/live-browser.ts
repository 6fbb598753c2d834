import type { Described, Gesture, GestureOutcome, LiveState, Opened, ScreenEvent } from '@fucina/host';
import type { ErrorCode } from '@fucina/shared';
import { type Language, sentencesFor } from '@fucina/shared/sentences';
import * as z from 'zod';
import type { Frame } from '../http/answers.ts';
import { encoded, mapped, renamed } from '../http/renamed.ts';
import { iso, sessionId } from './common.ts';

export const liveQuery = renamed(z.strictObject({ sessione: sessionId }), { sessione: 'sessionId' });

/** The owner of the browser is required. */
export const liveRefusals = {
  sessione: (value: unknown): ErrorCode =>
    value === undefined || value === '' ? 'BROWSER_VIVO_SENZA_SESSIONE' : 'QUERY_INVALID',
};

const MOST_PIXELS = 4_096;
const side = z.number().int().min(100).max(MOST_PIXELS);
const place = z.number().min(0).max(MOST_PIXELS);
const distance = z.number().min(-100_000).max(100_000);
const sides = { larghezza: 'width', altezza: 'height' } as const;

export const liveOpening = renamed(
  z.strictObject({
    url: z.string().min(1).max(2_048),
    larghezza: side.default(1_280),
    altezza: side.default(800),
  }),
  sides,
);
export const liveSize = renamed(z.strictObject({ larghezza: side, altezza: side }), sides);
export const livePoint = z.strictObject({ x: place, y: place });

const BITS = { alt: 1, ctrl: 2, meta: 4, shift: 8 } as const;
type Held = Record<keyof typeof BITS, boolean>;
const HELD = Object.keys(BITS) as (keyof Held)[];

const modifiers = z.codec(
  z.union([
    z.number().int().min(0).max(15),
    z.strictObject({ alt: z.boolean(), ctrl: z.boolean(), meta: z.boolean(), shift: z.boolean() }).partial(),
  ]),
  z.custom<Held>(),
  {
    decode: (wire) => heldBy((name) => (typeof wire === 'number' ? (wire & BITS[name]) !== 0 : wire[name] === true)),
    encode: (held) => HELD.reduce((bits, name) => bits | (held[name] ? BITS[name] : 0), 0),
  },
);

function heldBy(isHeld: (name: keyof Held) => boolean): Held {
  return Object.fromEntries(HELD.map((name) => [name, isHeld(name)])) as Held;
}

const NONE = heldBy(() => false);
const button = mapped({ sinistro: 'left', destro: 'right', centrale: 'middle' });

/** Only these are gestures. */
export const gesture = z.codec(
  z.discriminatedUnion('tipo', [
    z.strictObject({
      tipo: z.literal('clic'),
      x: place,
      y: place,
      tasto: button.optional(),
      doppio: z.boolean().optional(),
      modificatori: modifiers.optional(),
    }),
    z.strictObject({
      tipo: z.literal('tasto'),
      tasto: z.string().min(1).max(40),
      modificatori: modifiers.optional(),
    }),
    z.strictObject({
      tipo: z.literal('rotella'),
      x: place,
      y: place,
      deltaX: distance.optional(),
      deltaY: distance.optional(),
      modificatori: modifiers.optional(),
    }),
  ]),
  z.custom<Gesture>(),
  {
    decode(wire): Gesture {
      const held = wire.modificatori ?? NONE;
      if (wire.tipo === 'tasto') return { kind: 'key', key: wire.tasto, modifiers: held };
      const { x, y } = wire;
      if (wire.tipo === 'rotella')
        return { kind: 'wheel', x, y, deltaX: wire.deltaX ?? 0, deltaY: wire.deltaY ?? 0, modifiers: held };
      const isDouble = wire.doppio ?? false;
      return { kind: 'click', x, y, button: wire.tasto ?? 'left', isDouble, modifiers: held };
    },
    encode: () => {
      throw new Error('gestures are only sent');
    },
  },
);

/** An unknown kind, button or key is an unknown gesture; anything else is an invalid field. */
export const gestureRefusals = {
  ...liveRefusals,
  tipo: 'BROWSER_VIVO_GESTO_IGNOTO',
  tasto: 'BROWSER_VIVO_GESTO_IGNOTO',
} as const;

export const gestureOutcome = renamed(z.object({ coppie: z.number().int().optional(), tasto: z.string().optional() }), {
  coppie: 'pairs',
  tasto: 'key',
} satisfies Record<string, keyof GestureOutcome>).meta({ id: 'BrowserGestureOutcome' });

const channel = z.enum(['chrome', 'edge', 'chromium']).nullable();

export const openedPage = renamed(
  z.object({
    ok: z.boolean(),
    stato: z.number().int().nullable(),
    errore: z.string().nullable(),
    url: z.string(),
    canale: channel,
    isolata: z.boolean(),
    annotabile: z.boolean(),
  }),
  {
    ok: 'isOk',
    stato: 'status',
    errore: 'problem',
    canale: 'channel',
    isolata: 'isIsolated',
    annotabile: 'canBeDescribed',
  } satisfies Record<string, keyof Opened>,
).meta({ id: 'OpenedPage' });

const tab = renamed(
  z.object({
    sessionId: z.string(),
    url: z.string(),
    trasmette: z.boolean(),
    isolata: z.boolean(),
    annotabile: z.boolean(),
    fermaDaMs: z.number().int(),
  }),
  { trasmette: 'isWatched', isolata: 'isIsolated', annotabile: 'canBeDescribed', fermaDaMs: 'idleMs' },
);

export const liveState = renamed(
  z.object({
    finestraAperta: z.boolean(),
    canale: channel,
    schede: z.array(tab),
    cartellaProfilo: z.string(),
    inattivitaMs: z.number().int(),
  }),
  {
    finestraAperta: 'isOpen',
    canale: 'channel',
    schede: 'tabs',
    cartellaProfilo: 'profileDir',
    inattivitaMs: 'idleLimitMs',
  } satisfies Record<string, keyof LiveState>,
).meta({ id: 'LiveBrowserState' });

export const describedElement = encoded(
  z.object({
    selector: z.string(),
    html: z.string(),
    styles: z.record(z.string(), z.string()),
    ancestors: z.array(z.object({ selector: z.string(), tag: z.string() })),
    url: z.string(),
    errori: z.array(z.string()),
  }),
  ({ errors, ...element }: Described) => ({ ...element, errori: [...errors] }),
).meta({ id: 'DescribedElement' });

export const resized = renamed(
  z.object({ larghezza: z.number().nullable(), altezza: z.number().nullable(), url: z.string() }),
  sides,
);

const pixels = z.number();

/** An image, or the event that says why there are no more. */
export const screenEvent = z.union([
  z.object({
    dati: z.string(),
    formato: z.literal('jpeg'),
    numero: z.number().int(),
    metadati: z.object({
      offsetTop: pixels,
      pageScaleFactor: pixels,
      deviceWidth: pixels,
      deviceHeight: pixels,
      scrollOffsetX: pixels,
      scrollOffsetY: pixels,
      timestamp: pixels,
    }),
    quando: z.iso.datetime(),
    url: z.string(),
  }),
  z.object({ errore: z.string(), codice: z.string() }),
]);

/** Not resumable: only the newest image matters. */
export async function* screenFrames(
  events: AsyncIterable<ScreenEvent>,
  language: Language,
): AsyncGenerator<readonly Frame[]> {
  for await (const event of events) yield [{ json: JSON.stringify(onWire(event, language)) }];
}

function onWire(event: ScreenEvent, language: Language): z.output<typeof screenEvent> {
  if (event.kind === 'ended') return { errore: sentencesFor(event.code, language).message, codice: event.code };
  const { data, number, metadata, at, url } = event.frame;
  return { dati: data, formato: 'jpeg', numero: number, metadati: metadata, quando: iso(at), url };
}
