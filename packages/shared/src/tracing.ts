/** A value that is absent is not recorded. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | readonly string[] | null | undefined>>;

export interface SpanStart {
  /** `client`: a call of another service; default: work in this process. */
  kind?: 'client' | undefined;
  attributes?: SpanAttributes | undefined;
}

/** One step of a trace, from its start to `end`. */
export interface TraceSpan {
  /** Its W3C trace context, for other programs. */
  readonly traceparent: string;
  /** Starts a step inside this one. */
  start(name: string, start?: SpanStart): TraceSpan;
  set(attributes: SpanAttributes): void;
  /** Call once. `errorType`: of a failed step, from a small set of values, without content. */
  end(errorType?: string): void;
}

/** Where traces go. Absent from `Ambient` when nobody collects them: then a step costs one comparison. */
export interface Tracing {
  /** Whether attributes may hold messages, arguments and results. */
  readonly hasContent: boolean;
  /** `parent`: a W3C trace context; default: the one that this process was started with, if any. */
  start(name: string, start?: SpanStart & { parent?: string | undefined }): TraceSpan;
}
