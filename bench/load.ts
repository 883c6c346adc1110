import autocannon from 'autocannon'

export type Load = { perSecond: number; failed: number }

export type Target = {
  url: string
  method: 'GET' | 'PATCH'
  /** What is asked for in turn. */
  requests: { path: string; headers?: Record<string, string>; body?: string }[]
}

const CONNECTIONS = 16

/** Requests a second over some seconds, from this process. */
export async function load(target: Target, seconds: number): Promise<Load> {
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: target.requests.map((request) => ({
      method: target.method,
      path: request.path,
      ...(request.headers && { headers: request.headers }),
      ...(request.body !== undefined && { body: request.body }),
    })),
  })
  return { perSecond: result.requests.average, failed: result.non2xx + result.errors }
}

/** The value below which that part of the values lies. @param part for example 0.99 */
export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Measures both in turn, so that what else the machine does hurts both alike. */
export async function compare(one: Target, other: Target, rounds: number, seconds: number) {
  await load(one, 2)
  await load(other, 2)
  const first: number[] = []
  const second: number[] = []
  let failed = 0
  for (let round = 0; round < rounds; round += 1) {
    const a = await load(one, seconds)
    const b = await load(other, seconds)
    first.push(a.perSecond)
    second.push(b.perSecond)
    failed += a.failed + b.failed
  }
  return { first: median(first), second: median(second), failed }
}
