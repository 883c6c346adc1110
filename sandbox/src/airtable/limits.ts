/** Airtable's rate limit: requests per second and base, and a penalty time of 429 responses. */
export function createLimits(options: {
  requestsPerSecond: number
  penaltyMs: number
  now: () => number
}) {
  const bases = new Map<string, { times: number[]; shutUntil: number }>()
  return {
    /** @returns whether the request may pass */
    pass(baseId: string): boolean {
      const now = options.now()
      const base = bases.get(baseId) ?? { times: [], shutUntil: 0 }
      bases.set(baseId, base)
      if (now < base.shutUntil) return false
      base.times = base.times.filter((time) => time > now - 1000)
      if (base.times.length >= options.requestsPerSecond) {
        base.shutUntil = now + options.penaltyMs
        return false
      }
      base.times.push(now)
      return true
    },
  }
}
