import type { Given } from './config-variables.ts'
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
