import type { WatchStatement } from '../../database/prepared-client.ts'

export type SpanKind = 'server' | 'client' | 'internal'

/** No ids of pharmacies or orders, no paths, no values, nothing that a person wrote. */
export type SpanDetails = Record<string, string | number>

export type Span = {
  /** @param error what went wrong; only its kind is sent, because its message may have values in it */
  end(details?: SpanDetails, error?: unknown): void
  /** Runs `work`, and what it starts, with this span as the parent of further ones. */
  run<T>(work: () => T): T
}

/** Spans in the format of OpenTelemetry, sent to the collector that the variables `OTEL_*` name. */
export type Tracing = {
  /** Begins a span, whose parent is the one that is running. */
  begin(name: string, kind: SpanKind, details?: SpanDetails): Span
  /** Whether a span is running that the next one would belong to. */
  isInSpan(): boolean
  /** Sends what is still to be sent. */
  close(): Promise<void>
}

/** Whether traces are wanted, by the variables that all programs with OpenTelemetry have in common. */
export function wantsTraces(environment: Record<string, string | undefined>): boolean {
  const endpoint =
    environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || environment['OTEL_EXPORTER_OTLP_ENDPOINT']
  const isOff =
    environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true' ||
    environment['OTEL_TRACES_EXPORTER'] === 'none'
  return Boolean(endpoint) && !isOff
}

/** Longer texts of statements are cut. */
const MAX_STATEMENT = 2_000

/**
 * A span for each statement of a request or job, with its text, which has placeholders instead of values. Statements that
 * belong to neither are left out: each would be a trace of its own.
 */
export function traceStatements(tracing: Tracing): WatchStatement {
  return (text) => {
    if (!tracing.isInSpan()) return () => {}
    const operation = /^\s*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement'
    const span = tracing.begin(operation, 'client', {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.text': text.slice(0, MAX_STATEMENT),
    })
    return (error) => span.end({}, error)
  }
}
