import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import type { Tracing } from './tracing.ts'

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL }

/** Milliseconds that the end of the server waits for the collector. */
const CLOSE_MS = 3_000

/** Milliseconds between two lines about a collector that takes no traces. */
const QUIET_MS = 60_000

/**
 * Sends spans by OTLP over HTTP. All settings are those of OpenTelemetry: its packages read the variables `OTEL_*`.
 * Import it dynamically: its packages are loaded with it.
 */
export function startOpenTelemetry(log: { warn(details: object, message: string): void }): Tracing {
  const running = new AsyncLocalStorage<Context>()
  const exporter = new OTLPTraceExporter()
  let warnedAt = Number.NEGATIVE_INFINITY
  const provider = new BasicTracerProvider({
    resource: defaultResource().merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        export(spans, done) {
          exporter.export(spans, (result) => {
            if (result.error && performance.now() - warnedAt > QUIET_MS) {
              warnedAt = performance.now()
              log.warn({ err: result.error }, 'the collector took no traces')
            }
            done(result)
          })
        },
        forceFlush: () => exporter.forceFlush(),
        shutdown: () => exporter.shutdown(),
      }),
    ],
  })
  const tracer = provider.getTracer('bancone')

  return {
    begin(name, kind, details = {}) {
      const parent = running.getStore() ?? ROOT_CONTEXT
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes: details }, parent)
      return {
        end(last = {}, error) {
          span.setAttributes(last)
          if (error !== undefined) {
            span.setAttribute('error.type', error instanceof Error ? error.name : 'error')
            span.setStatus({ code: SpanStatusCode.ERROR })
          }
          span.end()
        },
        run: (work) => running.run(trace.setSpan(parent, span), work),
      }
    },
    isInSpan: () => running.getStore() !== undefined,
    async close() {
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      await Promise.race([provider.shutdown().catch(() => {}), patience])
      clearTimeout(timer)
    },
  }
}
