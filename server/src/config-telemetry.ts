import type { Given } from './config-variables.ts'
import { wantsTraces } from './platform/telemetry/tracing.ts'
import { StartupError } from './startup-error.ts'

/** Where `/metrics` is: on a port of its own, or else beside everything else for a token. Without both it is not there. */
export type MetricsConfig = { port: number | undefined; token: string | undefined }

export function metricsOf(given: Given): MetricsConfig {
  const { METRICS_PORT: port, METRICS_TOKEN: token, PORT } = given
  if (port !== undefined && port === PORT) {
    throw new StartupError('The configuration has mistakes: METRICS_PORT must not be PORT.')
  }
  return { port, token }
}

/** Whether traces are sent. The packages of OpenTelemetry read their other variables themselves. */
export function tracesOf(environment: Record<string, string | undefined>): boolean {
  const isWanted = wantsTraces(environment)
  const protocol =
    environment['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'] ?? environment['OTEL_EXPORTER_OTLP_PROTOCOL']
  if (isWanted && protocol === 'grpc') {
    throw new StartupError(
      'The configuration has mistakes: OTEL_EXPORTER_OTLP_PROTOCOL must be http/json, for traces are sent over HTTP.',
    )
  }
  return isWanted
}
