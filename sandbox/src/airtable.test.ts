import { describe, expect, it } from 'vitest'
import { addOrders, ask, BASE, start, TABLE } from '../test/start.ts'

describe('a change past the API', () => {
  it('is overwritten by a client that read the record before it, not by one that read it after', async () => {
    const airtable = await start()
    const [anna = '', bruno = ''] = addOrders(airtable, ['Anna', 'Bruno'])
    const body = JSON.stringify({ fields: { Stato: 'Confermato' } })
    for (const id of [anna, bruno]) {
      await ask(airtable, `/v0/${BASE}/${TABLE}/${id}`)
      airtable.update(BASE, TABLE, id, { Stato: 'Annullato' })
      if (id === bruno) await ask(airtable, `/v0/${BASE}/${TABLE}/${id}`)
      await ask(airtable, `/v0/${BASE}/${TABLE}/${id}`, { method: 'PATCH', body })
    }
    expect([...airtable.overwritten()]).toEqual([anna])
  })
})

it('lets its port go when it is closed, also while a request waits for its response', async () => {
  const airtable = await start()
  airtable.fail({ mode: 'slow', delayMs: 60_000 })
  const waiting = fetch(`${airtable.url}/v0/${BASE}/${TABLE}`)
  const outcome = expect(waiting).rejects.toThrow('fetch failed')
  await expect.poll(() => airtable.requests().total).toBe(1)
  await airtable.close()
  await outcome
  await expect(fetch(`${airtable.url}/_control`)).rejects.toThrow('fetch failed')
})
