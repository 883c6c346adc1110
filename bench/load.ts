import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import autocannon from 'autocannon'
import { z } from 'zod'

/** `p50` and `p99` in milliseconds. */
export type Load = { perSecond: number; failed: number; p50: number; p99: number }

export type LoadRequest = {
  method?: 'GET' | 'PATCH' | 'POST'
  path: string
  headers?: Record<string, string>
  body?: string
}

export type Target = {
  url: string
  /** What is requested in turn. */
  requests: readonly LoadRequest[]
}

const run = promisify(execFile)
const CONNECTIONS = 16
const script = fileURLToPath(new URL('wrk.lua', import.meta.url))

/** wrk takes a tenth of the processor time of autocannon, which is left to the servers that are measured. */
export const hasWrk: boolean = await run('wrk', ['-v']).then(
  () => true,
  // It prints its version and fails.
  (error: unknown) => error instanceof Error && !('code' in error && error.code === 'ENOENT'),
)

/** Sends requests over 16 connections for some seconds. */
export async function load(target: Target, seconds: number): Promise<Load> {
  return hasWrk ? loadByWrk(target, seconds) : loadByAutocannon(target, seconds)
}

const Printed = z.object({
  requests: z.number(),
  microseconds: z.number(),
  failed: z.number(),
  p50: z.number(),
  p99: z.number(),
})

async function loadByWrk({ url, requests }: Target, seconds: number): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-wrk-'))
  try {
    const file = join(folder, 'requests')
    await writeFile(file, requests.map((request) => textOf(url, request)).join('\n'))
    const { stdout } = await run('wrk', [
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      '--timeout',
      '10s',
      '-s',
      script,
      url,
      '--',
      file,
    ])
    const line = stdout.split('\n').find((text) => text.startsWith('{'))
    const { microseconds, ...printed } = Printed.parse(JSON.parse(line ?? '{}'))
    return { ...printed, perSecond: (printed.requests / microseconds) * 1_000_000 }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A request as it is sent, with its length before it. */
function textOf(url: string, { method = 'GET', path, headers, body = '' }: LoadRequest): string {
  const length = body === '' ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const all = Object.entries({ host: new URL(url).host, ...headers, ...length })
  const lines = all.map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
  return `${Buffer.byteLength(text)}\n${text}`
}

async function loadByAutocannon({ url, requests }: Target, seconds: number): Promise<Load> {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: requests.map((request) => ({ method: 'GET', ...request })),
  })
  return {
    perSecond: result.requests.average,
    failed: result.non2xx + result.errors,
    p50: result.latency.p50,
    p99: result.latency.p99,
  }
}

/** The value below which that part of the values lies. @param part for example 0.99 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
