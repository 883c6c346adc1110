import { setTimeout as pause } from 'node:timers/promises'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { random } from '@bancone/sandbox/random'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type TestServer, testServer } from './server.ts'

/** A second of the screens passes in ten milliseconds: everything that waits does so a hundredth. */
const SECOND = 10
const MINUTES = 10
const tableId = 'tblScreens0000001'
const bases = ['appScreens0000001', 'appScreens0000010'] as const

/** A dashboard: reads its page every minute, and also when somebody comes back to it. */
async function screen(read: () => Promise<void>, next: () => number, until: number) {
  await pause(next() * 60 * SECOND)
  while (Date.now() < until) {
    await read()
    if (next() < 0.3) {
      await pause(next() * 60 * SECOND)
      await read()
    }
    await pause(60 * SECOND)
  }
}

describe('ten screens of one pharmacy', () => {
  it('cost Airtable in ten minutes what one costs', async () => {
    const airtable = await startAirtable({
      bases: Object.fromEntries(bases.map((base) => [base, [ordersTable(tableId)]])),
      requestsPerSecond: 10_000,
    })
    onTestFinished(() => airtable.close())
    const server = await testServer({
      airtable: {
        apiUrl: airtable.url,
        token: airtable.token,
        // Airtable's own bound is not what holds them back here.
        perSecond: 1_000,
        perSecondOfToken: 1_000,
      },
      timing: {
        copy: { fresh: 22.5 * SECOND, justRead: 5 * SECOND },
        polls: { look: 2 * SECOND, watched: 15 * SECOND, unwatched: 60 * SECOND },
      },
    })
    server.start()
    const next = random(1)
    const begun = Date.now()
    const until = begun + MINUTES * 60 * SECOND
    // At the same time, so that a machine that is busy is so for both.
    const counts = await Promise.all(
      [1, 10].map(async (screens, index) => {
        const email = `screens-${screens}@example.it`
        const baseId = bases[index] ?? ''
        await server.addPharmacy({ email, code: email, airtable: { baseId, tableId } })
        const headers = await server.signIn(email)
        let pages = 0
        const read = async () => {
          await readPage(server, headers)
          pages += 1
        }
        await Promise.all(Array.from({ length: screens }, () => screen(read, next, until)))
        return { pages, asked: airtable.requests().byBase[baseId] ?? 0 }
      }),
    )
    const [one, ten] = counts
    expect(ten?.pages).toBeGreaterThan((one?.pages ?? 0) * 5)
    expect(one?.asked).toBeGreaterThan(10)
    // Both are read every fifteen seconds, and a page that comes first may read in between.
    expect(ten?.asked).toBeLessThanOrEqual((one?.asked ?? 0) * 1.25)
  }, 60_000)
})

async function readPage(server: TestServer, headers: { authorization: string }) {
  const reply = await server.app.inject({ url: '/api/airtable-orders', headers })
  expect(reply.statusCode).toBe(200)
}
