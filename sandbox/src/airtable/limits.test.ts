import { describe, expect, it } from 'vitest'
import { ask, BASE, createClock, OTHER_BASE, start, TABLE } from '../../test/start.ts'
import { createLimits } from './limits.ts'

const PENALTY = 30_000

function createGate() {
  const clock = createClock()
  const limits = createLimits({ requestsPerSecond: 5, penaltyMs: PENALTY, now: clock.now })
  const pass = (times: number, base = BASE) =>
    Array.from({ length: times }, () => limits.pass(base))
  return { clock, pass }
}

describe('five requests a second', () => {
  it('are counted in any second, not by the seconds of the clock', () => {
    const { clock, pass } = createGate()
    clock.move(900)
    expect(pass(5)).not.toContain(false)
    clock.move(200)
    expect(pass(1)).toEqual([false])
  })

  it('pass for as long as they are spread evenly', () => {
    const { clock, pass } = createGate()
    for (let request = 0; request < 50; request += 1) {
      expect(pass(1)).toEqual([true])
      clock.move(200)
    }
  })
})

describe('over HTTP', () => {
  const limited = {
    status: 429,
    body: {
      errors: [
        { error: 'RATE_LIMIT_REACHED', message: 'Rate limit exceeded. Please try again later' },
      ],
    },
  }

  async function startLimited() {
    const clock = createClock()
    const airtable = await start({ now: clock.now, requestsPerSecond: 5, penaltyMs: PENALTY })
    const list = (base = BASE) => ask(airtable, `/v0/${base}/${TABLE}`)
    return { airtable, clock, list }
  }

  it('the sixth request of a base is answered with 429, and the other base answers', async () => {
    const { airtable, clock, list } = await startLimited()
    for (let request = 0; request < 5; request += 1) expect((await list()).status).toBe(200)
    expect(await list()).toEqual(limited)
    expect((await list(OTHER_BASE)).status).toBe(200)
    clock.move(PENALTY - 1)
    expect(await list()).toEqual(limited)
    clock.move(1)
    expect((await list()).status).toBe(200)
    expect(airtable.requests()).toMatchObject({ total: 9, byMethod: { GET: 9 }, limited: 2 })
  })

  it('a request with a wrong token does not use up the requests of the base', async () => {
    const { airtable, list } = await startLimited()
    for (let request = 0; request < 8; request += 1) {
      const { status } = await ask(airtable, `/v0/${BASE}/${TABLE}`, { token: 'patWrong' })
      expect(status).toBe(401)
    }
    expect((await list()).status).toBe(200)
  })
})
