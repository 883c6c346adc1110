import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { hashPassword } from '../../server/src/platform/auth/passwords.ts'
import { password } from '../database.ts'
import type { Cluster } from './cluster.ts'

/** A pharmacy whose orders are in the database alone. */
export type Pharmacy = { id: string; email: string; headers: Record<string, string> }

const WRITING = 12
const QUIET = 4
/** Accounts that ask for a link to a new password, each once: there is a limit. */
const FORGETFUL = 600

export type People = {
  /** Those whose orders change all the time. */
  writing: Pharmacy[]
  /** Those whose orders change when a scenario says so: on a busy page every change hides an earlier one. */
  quiet: Pharmacy[]
  /** An address of mail that was not used yet. */
  nextMail(): string
}

const Session = z.object({ access_token: z.string() })

/** The accounts of the drill, signed in through HAProxy. */
export async function addPeople(cluster: Cluster): Promise<People> {
  await cluster.query(
    `insert into auth_users (email, password_hash, email_confirmed_at)
     select 'drill-' || n || '@example.it', $1, now() from generate_series(1, $2::int) n`,
    [await hashPassword(password), WRITING + QUIET],
  )
  await cluster.query(
    `insert into auth_users (email, email_confirmed_at)
     select 'mail-' || n || '@example.it', now() from generate_series(1, $1::int) n`,
    [FORGETFUL],
  )
  const rows = await cluster.query<{ id: string; email: string }>(
    `insert into pharmacies (id, pharmacy_id, name, email, use_supabase_orders)
     select id, 'PHARM-' || email, 'Farmacia', email, true from auth_users
     where starts_with(email, 'drill-') returning id, email`,
  )
  const pharmacies: Pharmacy[] = []
  for (const { id, email } of rows) {
    const reply = await call(cluster.fronts[0] ?? '', '/auth/v1/token?grant_type=password', {
      method: 'POST',
      body: { email, password },
      fromNewAddress: true,
    })
    const token = Session.parse(reply.body).access_token
    pharmacies.push({ id, email, headers: { authorization: `Bearer ${token}` } })
  }
  let mails = 0
  return {
    writing: pharmacies.slice(0, WRITING),
    quiet: pharmacies.slice(WRITING),
    nextMail() {
      mails += 1
      return `mail-${mails}@example.it`
    },
  }
}

type Call = {
  method?: 'GET' | 'PATCH' | 'POST'
  headers?: Record<string, string>
  body?: object
  timeoutMs?: number
  /** From an address of the loopback that no call came from, so that no limit of an address is met. */
  fromNewAddress?: boolean
}

/** `body` is the parsed JSON, or undefined. */
type Reply = { status: number; body: unknown }

const agent = new Agent({ keepAlive: true })

/** @throws Error without a response in time */
export function call(
  front: string,
  path: string,
  { method = 'GET', headers, body, timeoutMs = 10_000, fromNewAddress = false }: Call = {},
): Promise<Reply> {
  const text = body && JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, front),
      {
        method,
        headers: { ...headers, ...(text !== undefined && { 'content-type': 'application/json' }) },
        signal: AbortSignal.timeout(timeoutMs),
        ...(fromNewAddress ? { agent: false, localAddress: newAddress() } : { agent }),
      },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          received += chunk
        })
        response.once('error', reject)
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, body: parsed(received) })
        })
      },
    )
    sent.once('error', reject)
    sent.end(text)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const newAddress = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`

/** Calls until the status is a good one, as a person would who tries again. */
export async function callUntilTaken(fronts: string[], path: string, what: Call): Promise<Reply> {
  for (let tries = 0; ; tries += 1) {
    const front = fronts[tries % fronts.length] ?? ''
    const reply = await call(front, path, { ...what, timeoutMs: 5_000 }).catch(() => undefined)
    if (reply && reply.status < 300) return reply
    await pause(200)
  }
}
