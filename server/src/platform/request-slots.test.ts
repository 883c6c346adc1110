import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { testDatabase } from '../../test/database.ts'
import { connectDatabase } from '../database/database.ts'
import { createRequestSlots } from './request-slots.ts'

/** Longer than any test waits, in milliseconds. */
const LONG = 1_000_000

const { db, pool, url } = await testDatabase()
const slots = createRequestSlots(db)

let made = 0
/** A limit that no other test uses. */
function newKey(): string {
  made += 1
  return `a base of Farmacia ${made}, with 'quotes' and {braces}`
}

const take = (key: string, max: number, holdMs = LONG) => slots.take([{ key, max }], holdMs)
const taken: unknown = expect.objectContaining({ outcome: 'taken' })

/** Request slots as in another process, with their own connections. */
function elsewhere() {
  const connection = connectDatabase(url, { max: 5 })
  onTestFinished(connection.close)
  return createRequestSlots(connection.db)
}

async function slotOf(key: string, max: number, holdMs = LONG): Promise<string> {
  const reply = await take(key, max, holdMs)
  if (reply.outcome !== 'taken') throw new Error(`no place, but ${reply.outcome}`)
  return reply.slot
}

describe('a pace', () => {
  it('gives as many places as it has, to all processes together', async () => {
    const key = newKey()
    const other = elsewhere()
    expect(await take(key, 3)).toEqual(taken)
    expect(await other.take([{ key, max: 3 }], LONG)).toEqual(taken)
    expect(await take(key, 3)).toEqual(taken)
    expect(await take(key, 3)).toMatchObject({ outcome: 'wait' })
    expect(await other.take([{ key, max: 3 }], LONG)).toMatchObject({ outcome: 'wait' })
  })

  it('gives no more of them when all ask at the same moment', async () => {
    const processes = [slots, elsewhere(), elsewhere()]
    const twenty = Array.from({ length: 20 }, () => processes).flat()
    for (let round = 0; round < 5; round += 1) {
      const key = newKey()
      const replies = await Promise.all(twenty.map((one) => one.take([{ key, max: 7 }], LONG)))
      expect(replies.filter(({ outcome }) => outcome === 'taken')).toHaveLength(7)
    }
  })

  it('has a place for who may have more of them than are held', async () => {
    const key = newKey()
    await take(key, 2)
    expect(await take(key, 1)).toMatchObject({ outcome: 'wait' })
    expect(await take(key, 2)).toEqual(taken)
    expect(await take(key, 1)).toMatchObject({ outcome: 'wait' })
    expect(await take(key, 2)).toMatchObject({ outcome: 'wait' })
  })

  it('says when the place comes free that is needed', async () => {
    const key = newKey()
    for (const holdMs of [60_000, 20_000, 40_000]) await take(key, 3, holdMs)
    const waits = await Promise.all([3, 2, 1].map((max) => take(key, max)))
    const inSeconds = waits.map((reply) =>
      reply.outcome === 'wait' ? Math.ceil(reply.waitMs / 20_000) : reply,
    )
    expect(inSeconds).toEqual([1, 2, 3])
  })

  it('has a place again a while after it was released, by whomever', async () => {
    const key = newKey()
    const place = await slotOf(key, 1)
    await elsewhere().release(place, 60_000)
    const reply = await take(key, 1)
    expect(reply).toMatchObject({ outcome: 'wait' })
    expect(reply.outcome === 'wait' && reply.waitMs).toBeLessThanOrEqual(60_000)
    await slots.release(place, 0)
    expect(await take(key, 1)).toEqual(taken)
    expect(await take(key, 1)).toMatchObject({ outcome: 'wait' })
  })

  it('gives a place that was never released to another request', async () => {
    const key = newKey()
    const dead = await slotOf(key, 1, 20)
    const again = await vi.waitFor(() => slotOf(key, 1), { interval: 5, timeout: 5000 })
    // A late release by the former holder has no effect.
    await slots.release(dead, 0)
    expect(await take(key, 1)).toMatchObject({ outcome: 'wait' })
    expect(again).not.toBe(dead)
  })

  it('forgets places that are free', async () => {
    const key = newKey()
    for (let time = 0; time < 5; time += 1) await slots.release(await slotOf(key, 1), 0)
    const held = await pool.query('select from request_places where key = $1', [key])
    expect(held.rowCount).toBe(1)
  })
})

describe('two paces at once', () => {
  it('give a place in both or in none, and say when the last of them has one', async () => {
    const [base, token] = [newKey(), newKey()]
    const both = [
      { key: base, max: 2 },
      { key: token, max: 1 },
    ]
    const reply = await slots.take(both, LONG)
    expect(reply).toEqual(taken)
    const refused = await slots.take(both, LONG)
    expect(refused.outcome === 'wait' && refused.waitMs).toBeGreaterThan(LONG / 2)
    // The second slot of the base is still free.
    expect(await take(base, 2, 20_000)).toEqual(taken)
    expect(await take(base, 2)).toMatchObject({ outcome: 'wait' })
    const longest = await slots.take(both, LONG)
    expect(longest.outcome === 'wait' && longest.waitMs).toBeGreaterThan(LONG / 2)
    if (reply.outcome === 'taken') await slots.release(reply.slot, 0)
    expect(await take(token, 1)).toEqual(taken)
    expect(await take(base, 2)).toEqual(taken)
  })
})

describe('silence', () => {
  it('is kept by everybody, in every pace that asks by it, for as long as was wanted', async () => {
    const [base, token, other] = [newKey(), newKey(), newKey()]
    await slots.pause(base, 60_000)
    const limits = [base, token].map((key) => ({ key, max: 1 }))
    const reply = await elsewhere().take(limits, LONG)
    expect(reply).toMatchObject({ outcome: 'paused' })
    const { pausedMs } = reply.outcome === 'paused' ? reply : { pausedMs: 0 }
    expect(pausedMs).toBeLessThanOrEqual(60_000)
    expect(pausedMs).toBeGreaterThan(30_000)
    // No slot was taken by the refused calls.
    expect(await take(token, 1)).toEqual(taken)
    expect(await take(other, 1)).toEqual(taken)
  })

  it('ends by itself', async () => {
    const key = newKey()
    await slots.pause(key, 20)
    await vi.waitFor(() => slotOf(key, 1), { interval: 5, timeout: 5000 })
  })

  it('is made longer by another, and never shorter', async () => {
    const key = newKey()
    await slots.pause(key, 10)
    await slots.pause(key, 60_000)
    await slots.pause(key, 10)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await take(key, 1)).toMatchObject({ outcome: 'paused' })
  })
})
