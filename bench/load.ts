import { setTimeout as pause } from 'node:timers/promises'

export type LoadRequest = {
  method?: 'GET' | 'PATCH' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Milliseconds within which 99 of 100 pages of orders came, for people who read them until something is over. */
export async function pagesUntil(
  url: string,
  headers: Record<string, string>,
  until: Promise<unknown>,
  count = 4,
): Promise<number> {
  const taken: number[] = []
  const over = new AbortController()
  const person = async () => {
    while (!over.signal.aborted) {
      taken.push(await timed(() => read(`${url}/api/airtable-orders?page=1`, { headers })))
      await pause(15)
    }
  }
  const people = Promise.all(Array.from({ length: count }, person))
  await until.finally(() => over.abort())
  await people
  return quantile(taken, 0.99)
}

/** The body of a response, which has to be a good one. */
export async function read(url: string, request?: RequestInit): Promise<string> {
  const reply = await fetch(url, request)
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}: ${text}`)
  return text
}

/** Milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** The value below which that part of the values lies. @param part for example 0.99 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
