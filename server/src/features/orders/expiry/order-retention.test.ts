import { beforeEach, describe, expect, it } from 'vitest'
import { detailsOf } from '../../../../test/details-server.ts'
import { DAYS, expiryServer, PERSONAL } from '../../../../test/expiry-server.ts'

const world = await expiryServer()
const { server, pharmacyId, headers, query, keepFor, saveOld, expire, names } = world
const { call, choose, hold } = world

beforeEach(world.empty)

const release = (recordId: string) => call('DELETE', `/api/orders/${recordId}/hold`)

describe('a pharmacy', () => {
  it('chooses its own time, also where the platform has none', async () => {
    await keepFor(null)
    await saveOld()
    expect((await call('GET', '/api/order-retention')).body).toEqual({
      orderDays: null,
      platformDays: null,
      isOnAirtable: false,
    })
    await expire()
    expect(await names()).toEqual([PERSONAL.customerName])
    expect((await choose(60)).body).toMatchObject({ orderDays: 60 })
    await expire()
    expect(await names()).toEqual([null])
  })

  it('sees before how many orders that concerns, of its own and without those that are held', async () => {
    await saveOld()
    await hold(await saveOld(), 'Reclamo')
    const preview = async (days: number) =>
      (await call('GET', `/api/order-retention/preview?orderDays=${days}`)).body
    expect(await preview(90)).toEqual({ orders: 1 })
    expect(await preview(92)).toEqual({ orders: 0 })
  })

  it('has its time within bounds, and of two changes at once only the first', async () => {
    expect((await choose(29)).status).toBe(400)
    expect((await choose(731)).status).toBe(400)
    expect((await choose(60)).status).toBe(200)
    const late = await choose(300)
    expect([late.status, late.body['code']]).toEqual([409, 'order_retention.changed_meanwhile'])
    const other = await choose(null, 60, 180)
    expect(other.body['code']).toBe('order_retention.changed_meanwhile')
    // It is repeated because its response was lost.
    expect((await choose(60)).status).toBe(200)
    expect((await choose(null, 60)).body).toMatchObject({
      orderDays: null,
      platformDays: DAYS,
    })
    const { rows } = await query(
      `select changes from audit_events where action = 'order_retention_changed' and outcome = 'done'
        order by id desc limit 1`,
    )
    expect(JSON.stringify(rows)).toContain('60')
  })
})

it('an order that is held says why and by whom, and expires when it is released', async () => {
  const recordId = await saveOld()
  const held = async () => (await detailsOf(server, recordId, headers)).hold
  expect(await held()).toBeNull()
  expect((await hold(recordId, '  ')).status).toBe(400)
  const { body } = await hold(recordId, 'Causa in corso')
  expect(body).toMatchObject({ reason: 'Causa in corso', who: { you: true, here: true } })
  const second = await hold(recordId, 'Reclamo')
  expect([second.status, second.body['code']]).toEqual([409, 'orders.already_held'])
  // It is repeated because its response was lost.
  expect((await hold(recordId, 'Causa in corso')).body).toEqual(body)
  expect(await held()).toEqual(body)
  const listed = await call('GET', '/api/order-holds')
  expect(listed.body).toMatchObject({ orders: [{ ...body, recordId }] })
  expect((await release(recordId)).status).toBe(200)
  expect((await release(recordId)).status).toBe(200)
  expect(await held()).toBeNull()
  const { rows } = await query(
    `select action, details::text from audit_events where pharmacy_id = $1 and action in ('order_held', 'order_released') and outcome = 'done' order by id desc limit 2`,
    pharmacyId,
  )
  expect(rows.map(({ action }) => action)).toEqual(['order_released', 'order_held'])
  expect(JSON.stringify(rows)).not.toContain('Causa')
  await expire()
  expect(await names()).toEqual([null])
  const late = await hold(recordId, 'Reclamo')
  expect([late.status, late.body['code']]).toEqual([409, 'orders.customer_erased'])
})
