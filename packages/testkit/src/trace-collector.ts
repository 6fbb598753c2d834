import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  name: string;
  /** OTLP: 1 internal, 3 client. */
  kind: number;
  isError: boolean;
  attributes: Record<string, unknown>;
  durationMs: number;
  /** Of the program that sent it. */
  resource: Record<string, unknown>;
}

export interface TraceCollector extends AsyncDisposable {
  /** The value of OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  /** In the order in which they ended. */
  spans: CollectedSpan[];
  /** Of each request; names in lower case. */
  headers: Record<string, string | string[] | undefined>[];
  /** What was received, as text. */
  bodies: string[];
}

interface Value {
  stringValue?: string;
  intValue?: number | string;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values: Value[] };
}
type KeyValues = readonly { key: string; value: Value }[];
interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: KeyValues;
  status: { code?: number };
}
interface OtlpTraces {
  resourceSpans: { resource: { attributes: KeyValues }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

const STATUS_ERROR = 2;

/** An OpenTelemetry collector: takes spans by OTLP over HTTP, as JSON. */
export async function traceCollector(): Promise<TraceCollector> {
  const [spans, headers, bodies]: [CollectedSpan[], TraceCollector['headers'], string[]] = [[], [], []];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces) {
        const text = Buffer.concat(chunks).toString('utf8');
        headers.push(request.headers);
        bodies.push(text);
        spans.push(...spansOf(JSON.parse(text) as OtlpTraces));
      }
      response.writeHead(isTraces ? 200 : 404, { 'Content-Type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    headers,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function spansOf({ resourceSpans }: OtlpTraces): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, status, ...span }) => ({
        traceId,
        spanId,
        parentSpanId: parentSpanId || undefined,
        name,
        kind,
        isError: status.code === STATUS_ERROR,
        attributes: read(span.attributes),
        durationMs: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
        resource: read(resource.attributes),
      })),
    ),
  );
}

const read = (pairs: KeyValues): Record<string, unknown> =>
  Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));

function valueOf(value: Value): unknown {
  if (value.arrayValue) return value.arrayValue.values.map(valueOf);
  if (value.intValue !== undefined) return Number(value.intValue);
  return value.stringValue ?? value.doubleValue ?? value.boolValue;
}
