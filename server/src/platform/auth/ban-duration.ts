import { AuthError } from './auth-error.ts'

const units: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3600_000,
}

/** A thousand years: a longer ban does not fit into a date. */
const MAX_MS = 1000 * 365 * 86_400_000

/**
 * Parses a ban duration in Go's format ('24h', '1h30m'); 'none' lifts a ban.
 *
 * @returns milliseconds
 * @throws AuthError `validation_failed`
 */
export function parseBanDuration(duration: string): number {
  if (duration === 'none') return 0
  if (!/^(\d+(\.\d+)?(ns|us|µs|ms|s|m|h))+$/.test(duration)) {
    throw new AuthError('validation_failed', { message: 'invalid format for ban duration' })
  }
  const parts = duration.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)
  const sum = [...parts].reduce((total, [, number, unit = '']) => {
    return total + Number(number) * (units[unit] ?? 0)
  }, 0)
  return Math.min(sum, MAX_MS)
}
