import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { password } from './database.ts'
import { median, pagesUntil, timed } from './load.ts'
import { newAddress, signInTo } from './server-process.ts'

const SECONDS = 6
const CROWD = 20
/** Addresses whose time is taken. */
const KNOWN = 60

/** Whether the time of an answer tells who has an account, and what signing in costs those at work. */
export async function benchSignIn(bench: Bench): Promise<void> {
  const { url } = await bench.serve()
  const emails = bench.database.pharmacies.map(({ email }) => email)
  const post = async (path: string, body: object, status: number) => {
    const reply = await fetch(`${url}/auth/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': newAddress() },
      body: JSON.stringify(body),
    })
    await reply.arrayBuffer()
    if (reply.status !== status) throw new Error(`${path} answered ${reply.status}`)
  }

  async function tell(path: string, body: object, status: number): Promise<void> {
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    const take = async (which: keyof typeof times, email: string) => {
      // What the call before it left to a job is over by then.
      await pause(20)
      times[which].push(await timed(() => post(path, { email, ...body }, status)))
    }
    for (const [n, email] of emails.slice(0, KNOWN).entries()) {
      const unknown = `nobody-${path.length}-${n}@example.it`
      // Now the one first and now the other.
      if (n % 2 === 0) await take('known', email)
      await take('unknown', unknown)
      if (n % 2 === 1) await take('known', email)
    }
    const ratio = median(times.known) / median(times.unknown)
    if (ratio < 0.9 || ratio > 1.1) bench.missed.push(`what the time of ${path} tells`)
    bench.say(
      `${path}, known against unknown address: ${median(times.known).toFixed(2)} ms against ` +
        `${median(times.unknown).toFixed(2)} ms: ratio ${ratio.toFixed(3)} (goal: 0.9 to 1.1)`,
    )
  }

  await tell('/token?grant_type=password', { password: 'not the password' }, 400)
  await tell('/recover', {}, 200)

  const headers = await signInTo(url, emails.at(-1) ?? '')
  await pagesUntil(url, headers, pause(2_000))
  const idle = await pagesUntil(url, headers, pause(SECONDS * 1_000))
  let signIns = 0
  const end = performance.now() + SECONDS * 1_000
  const crowd = emails.slice(KNOWN, KNOWN + CROWD).map(async (email) => {
    for (; performance.now() < end; signIns += 1) {
      await post('/token?grant_type=password', { email, password }, 200)
    }
  })
  const busy = await pagesUntil(url, headers, Promise.all(crowd))
  bench.say(
    `p99 of a page of orders while ${CROWD} people sign in (${(signIns / SECONDS).toFixed(0)}/s) against idle: ` +
      `${busy.toFixed(1)} ms against ${idle.toFixed(1)} ms: ratio ${(busy / idle).toFixed(2)}`,
  )
}
