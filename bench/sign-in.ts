import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import autocannon from 'autocannon'
import { z } from 'zod'
import { appSecret, type BenchDatabase, password } from './database.ts'
import { median } from './load.ts'
import { startProcess } from './server-process.ts'

type Report = { say(line: string): void; missed: string[] }

const Session = z.object({ access_token: z.string(), refresh_token: z.string() })

/** Each call comes from an address of its own, so that no limit is met. */
let caller = 0
function from(): Record<string, string> {
  caller += 1
  const address = `10.${(caller >> 16) & 255}.${(caller >> 8) & 255}.${caller & 255}`
  return { 'content-type': 'application/json', 'x-forwarded-for': address }
}

/** How long signing in takes, whom its time betrays, and what it costs those at work. */
export async function benchSignIn(database: BenchDatabase, report: Report): Promise<void> {
  const { say } = report
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone-bench-sign-in-'))
  const served = await startProcess(['dist/server/main.js'], 3903, {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    APP_SECRET: appSecret,
    LOG_LEVEL: 'warn',
    TRUST_PROXY: '1',
  })
  const known = database.pharmacies.map(({ email }) => email)

  const post = (path: string, body: object) =>
    fetch(`${served.url}/auth/v1${path}`, {
      method: 'POST',
      headers: from(),
      body: JSON.stringify(body),
    })

  async function signIn(email: string) {
    const reply = await post('/token?grant_type=password', { email, password })
    return Session.parse(await reply.json())
  }

  /** Milliseconds of one call, with nothing else under way. */
  async function timed(path: string, body: object, status: number): Promise<number> {
    // What the call before it left to a job is over by then.
    await pause(20)
    const begun = performance.now()
    const reply = await post(path, body)
    await reply.arrayBuffer()
    const took = performance.now() - begun
    if (reply.status !== status) throw new Error(`${path} answered ${reply.status}`)
    return took
  }

  async function tell(path: string, body: object, status: number): Promise<void> {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (const [n, email] of known.entries()) {
      const pair = [
        ['known', email],
        ['unknown', `nobody-${path.length}-${n}@example.it`],
      ] as const
      // Now the one first and now the other.
      for (const [which, address] of n % 2 === 0 ? pair : pair.toReversed()) {
        times[which].push(await timed(path, { email: address, ...body }, status))
      }
    }
    const [one, other] = [median(times.known), median(times.unknown)]
    const ratio = one / other
    if (ratio < 0.9 || ratio > 1.1) report.missed.push(`what the time of ${path} tells`)
    say(
      `${path}, known against unknown address: ${one.toFixed(2)} ms against ` +
        `${other.toFixed(2)} ms: ratio ${ratio.toFixed(3)} (goal: 0.9 to 1.1)`,
    )
  }

  /** So many at once, each again and again, for some seconds. @returns how many a second */
  async function throughput(each: ((round: number) => Promise<void>)[], seconds: number) {
    const until = performance.now() + seconds * 1000
    let done = 0
    await Promise.all(
      each.map(async (work) => {
        for (let round = 0; performance.now() < until; round += 1) {
          await work(round)
          done += 1
        }
      }),
    )
    return done / seconds
  }

  /** Milliseconds within which 99 of 100 pages of orders came. */
  async function p99(seconds: number, token: string): Promise<number> {
    const result = await autocannon({
      url: `${served.url}/api/airtable-orders?page=1`,
      connections: 4,
      // A counter at work rather than a flood: what matters is how long each waits.
      overallRate: 200,
      duration: seconds,
      headers: { authorization: `Bearer ${token}` },
    })
    if (result.non2xx + result.errors > 0) throw new Error('a page of orders failed')
    return result.latency.p99
  }

  try {
    await Promise.all(known.slice(0, 8).map(signIn))
    await tell('/token?grant_type=password', { password: 'not the password' }, 400)
    await tell('/recover', {}, 200)
    // The interval between two mails to one address is a minute.
    await pause(61_000)
    await tell('/otp', {}, 200)

    const perSecond = await throughput(
      known.slice(0, 8).map((email) => async () => void (await signIn(email))),
      5,
    )
    say(`Sign-ins, argon2id with 19 MiB and two passes: ${perSecond.toFixed(0)}/s`)

    const tokens = await Promise.all(known.slice(8, 24).map(signIn))
    const refreshes = await throughput(
      tokens.map((session) => async () => {
        const reply = await post('/token?grant_type=refresh_token', session)
        Object.assign(session, Session.parse(await reply.json()))
      }),
      5,
    )
    say(`Refreshes: ${refreshes.toFixed(0)}/s`)

    const { access_token: token } = await signIn(known.at(-1) ?? '')
    await p99(2, token)
    const idle = await p99(6, token)
    const crowd = known.slice(24, 44).map((email) => async () => void (await signIn(email)))
    const [busy, signIns] = await Promise.all([p99(6, token), throughput(crowd, 6)])
    say(
      `p99 of a page of orders while 20 people sign in (${signIns.toFixed(0)}/s) against idle: ` +
        `${busy.toFixed(0)} ms against ${idle.toFixed(0)} ms: ratio ${(busy / Math.max(idle, 1)).toFixed(2)}`,
    )
    say(`Memory of the server after that: ${(await served.memory()).toFixed(0)} MB`)
  } finally {
    await served.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
