import { describe, expect, it } from 'vitest'
import { addOrders, ask, officialTable, start } from '../../test/start.ts'
import type { AirtableSandbox } from '../airtable.ts'
import { createFailures, type Failure } from './failures.ts'

const control = (airtable: AirtableSandbox, failure: object) =>
  ask(airtable, '/_control', { method: 'POST', body: JSON.stringify(failure) })

async function startFailing(failure: object) {
  const airtable = await start()
  const [id = ''] = addOrders(airtable, ['Anna'])
  expect((await control(airtable, failure)).status).toBe(200)
  return { airtable, id, orders: officialTable(airtable) }
}

describe('chaos', () => {
  const chances = { '429': 0.1, '500': 0.1, slow: 0.1, malformed: 0.1, 'hang-up': 0.1 }

  function fates(failure: Partial<Failure>, count = 2000) {
    const failures = createFailures()
    failures.set({ mode: 'chaos', ...failure })
    const modes = Array.from(
      { length: count },
      () => failures.next({ isWrite: false, continuesList: false }).mode,
    )
    return { modes, share: (mode: string) => modes.filter((one) => one === mode).length / count }
  }

  it('of one seed is the same each time, and of another is not', () => {
    const { modes } = fates({ chances, seed: 7 })
    expect(fates({ chances, seed: 7 }).modes).toEqual(modes)
    expect(fates({ chances, seed: 8 }).modes).not.toEqual(modes)
  })
})

describe('the control', () => {
  it.each([
    '{}',
    '{"mode":"503"}',
    '{"mode":"slow","delayMs":-1}',
    '{"mode":"500","times":0}',
    '{"mode":"chaos","chances":{"500":1.5}}',
    '{"mode":"chaos","chances":{"500":0.6,"slow":0.6}}',
    '{"mode":"chaos","chances":{"fire":0.1}}',
    'no',
  ])('refuses %s and changes nothing', async (body) => {
    const { airtable } = await startFailing({ mode: '500' })
    const reply = await ask(airtable, '/_control', { method: 'POST', body })
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { type: 'INVALID_REQUEST_UNKNOWN' } },
    })
    expect((await ask(airtable, '/_control')).body).toMatchObject({ mode: '500' })
  })
})
