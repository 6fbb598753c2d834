import type { Ambient, Environment, Tracing } from '@fucina/shared';

export interface OpenTracing extends AsyncDisposable {
  tracing: Tracing;
}

interface TracingSettings {
  ambient: Ambient;
  environment: Environment;
  version: string;
  background: boolean;
}

/** Undefined, without loading a library, unless the user's environment names a collector. */
export async function openTracing(settings: TracingSettings): Promise<OpenTracing | undefined> {
  const { ambient, environment } = settings;
  const given = environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || environment.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!given || isOff(environment)) return undefined;
  const address = URL.canParse(given) ? new URL(given) : undefined;
  // Otherwise the library would send to its default address.
  if (!address || !/^https?:$/.test(address.protocol)) {
    ambient.log.warn('tracing.endpoint-invalid');
    return undefined;
  }
  const { createTracing } = await import('./tracing.ts');
  return createTracing({ ...settings, address });
}

function isOff({ OTEL_SDK_DISABLED: disabled, OTEL_TRACES_EXPORTER: exporter }: Environment): boolean {
  return disabled?.trim().toLowerCase() === 'true' || exporter?.trim() === 'none';
}
