import { connect } from 'node:net';
import type { Ambient, Environment, SpanAttributes, SpanStart, TraceSpan } from '@fucina/shared';
import { type Attributes, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { OpenTracing } from './open-tracing.ts';

/** For the last spans, when the program ends. */
const FLUSH_MS = 1_000;

interface TracingNeeds {
  /** Of the collector. */
  address: URL;
  ambient: Ambient;
  environment: Environment;
  version: string;
  /** The server: its turns are started by clients, not by the program that started it. */
  background: boolean;
}

/** Exports by OTLP over HTTP; the libraries read address, headers, timeout and sampling from the environment. */
export function createTracing({ address, ambient, environment, version, background }: TracingNeeds): OpenTracing {
  const warn = warnOnce(ambient);
  const named = resourceFromAttributes({ 'service.name': 'fucina', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: named.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(forgiving(new OTLPTraceExporter(), warn))],
  });
  const tracer = provider.getTracer('fucina', version);

  const begin = (name: string, { kind, attributes = {} }: SpanStart, parent = ROOT_CONTEXT): TraceSpan => {
    const options = {
      kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
      attributes: recorded(attributes),
    };
    const span = tracer.startSpan(name, options, parent);
    return {
      traceparent: traceparentOf(span),
      start: (inner, start = {}) => begin(inner, start, trace.setSpan(ROOT_CONTEXT, span)),
      set: (more) => void span.setAttributes(recorded(more)),
      end(errorType) {
        if (errorType) span.setAttribute('error.type', errorType).setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
  const ownParent = background ? undefined : environment.TRACEPARENT;
  return {
    tracing: {
      hasContent: environment.OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT?.trim().toLowerCase() === 'true',
      start: (name, { parent, ...start } = {}) => begin(name, start, contextOf(parent ?? ownParent)),
    },
    async [Symbol.asyncDispose]() {
      const away = awayFrom(address);
      const problem = await Promise.race([
        provider.shutdown().then(() => undefined, problemOf),
        new Promise<string>((resolve) => ambient.timer(FLUSH_MS, () => resolve('not sent in time'))),
        away.problem,
      ]);
      away.close();
      if (problem !== undefined) warn(problem);
    },
  };
}

/** A collector that is away must not disturb the user's work. */
function warnOnce({ log }: Ambient): (problem: string) => void {
  let hasWarned = false;
  return (problem) => {
    if (!hasWarned) log.warn('tracing.not-exported', { problem });
    hasWarned = true;
  };
}

/** Whether connections are refused: the library would try again for several seconds. Otherwise `problem` stays open. */
function awayFrom({ protocol, hostname, port }: URL): { problem: Promise<string>; close(): void } {
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) });
  const problem = new Promise<string>((resolve) => socket.once('error', (error) => resolve(problemOf(error))));
  return { problem, close: () => void socket.destroy() };
}

/** The library's messages may quote what the collector answered: only their kind is reported. */
function forgiving(exporter: SpanExporter, warn: (problem: string) => void): SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error) warn(problemOf(result.error));
        done({ code: 0 });
      }),
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: async () => exporter.shutdown(),
  };
}

function problemOf({ name, code }: Error & { code?: unknown }): string {
  return typeof code === 'number' || typeof code === 'string' ? `${name} ${code}` : name;
}

function recorded(attributes: SpanAttributes): Attributes {
  const present = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as Attributes;
}

function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

function contextOf(traceparent: string | undefined) {
  const parent = traceparent ? parseTraceParent(traceparent) : null;
  return parent ? trace.setSpanContext(ROOT_CONTEXT, { ...parent, isRemote: true }) : ROOT_CONTEXT;
}
