import type { ServiceId, ServiceProblem, ServiceState } from '@bancone/contract/services'
import { type Limit, type RateLimits, rethrowRateLimitAs } from '../../platform/rate-limits.ts'
import type { Clock } from '../../ports/clock.ts'
import { KindError } from '../../ports/kind-error.ts'
import type { ServicesStore } from './services.store.ts'

export const serviceLimits = {
  // Per administrator.
  'service-checks': { points: 30, seconds: 60 },
} as const satisfies Record<string, Limit>

/** Less than the 25 seconds that the page waits for the response. */
export const CHECK_TIME_LIMIT_MS = 20_000

/** A check of an outside service found a problem. The message is not shown. */
export class ServiceCheckError extends KindError<ServiceProblem> {
  override readonly name = 'ServiceCheckError'
}

/** One outside service. */
export type ServiceCheck = {
  id: ServiceId
  setup: ServiceState['setup']
  /** Uses the service as the application does. @throws ServiceCheckError; any other error counts as `unreachable` */
  check(signal: AbortSignal): Promise<void>
  /** The last success that was observed elsewhere (ISO 8601). */
  lastSuccess?(): Promise<string | null>
}

type Dependencies = {
  checks: readonly ServiceCheck[]
  store: ServicesStore
  limits: RateLimits<keyof typeof serviceLimits>
  clock: Clock
  log: { warn(details: object, message: string): void }
  timeLimitMs?: number | undefined
}

/** The state of outside services. Results are stored: all processes and administrators see the same. */
export function createServices(dependencies: Dependencies) {
  const { checks, store, limits, clock, log, timeLimitMs = CHECK_TIME_LIMIT_MS } = dependencies

  async function stateOf({ id, setup, lastSuccess }: ServiceCheck): Promise<ServiceState> {
    const known = await store.find(id)
    const elsewhere = await lastSuccess?.()
    return {
      id,
      setup,
      lastSuccess: elsewhere ?? known.lastSuccess,
      milliseconds: known.milliseconds,
      lastFailure: known.lastFailure,
    }
  }

  async function problemOf(check: ServiceCheck): Promise<ServiceProblem | null> {
    const limit = AbortSignal.timeout(timeLimitMs)
    try {
      // The adapters have limits of their own; this one holds for all of them together.
      await Promise.race([check.check(limit), rejected(limit)])
      return null
    } catch (error) {
      if (limit.aborted) return 'timeout'
      // Only the name: messages of services can quote addresses and keys.
      const name = error instanceof Error ? error.name : 'unknown'
      log.warn({ service: check.id, error: name }, 'the check of a service failed')
      return error instanceof ServiceCheckError ? error.kind : 'unreachable'
    }
  }

  return {
    list(): Promise<ServiceState[]> {
      return Promise.all(checks.map(stateOf))
    },

    /** @throws AppError `services.too_many` */
    async check(id: ServiceId, userId: string): Promise<ServiceState> {
      await limits
        .take({ limit: 'service-checks', subject: userId })
        .catch(rethrowRateLimitAs('services.too_many'))
      const check = checks.find((each) => each.id === id)
      if (!check) throw new Error(`there is no check of ${id}`)
      if (check.setup !== 'missing') {
        const begun = performance.now()
        const problem = await problemOf(check)
        const at = new Date(clock.now()).toISOString()
        const milliseconds = Math.round(performance.now() - begun)
        const success = { succeeded_at: at, milliseconds }
        await store.record(id, problem === null ? success : { failed_at: at, problem })
      }
      return stateOf(check)
    },
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () =>
      reject(new ServiceCheckError('timeout', 'the time is over')),
    )
  })
}
