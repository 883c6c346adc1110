import { randomUUID } from 'node:crypto'
import { AnalyticsNote } from '@bancone/contract/analytics-notes'
import { MAX_FUNNEL_OFFERS, Traffic } from '@bancone/contract/analytics-traffic'
import ExcelJS from 'exceljs'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnalyticsPharmacy, analyticsServer, period } from '../../../test/analytics-server.ts'

let server: Awaited<ReturnType<typeof analyticsServer>>
/** A pharmacy of its own for each test. */
let own: AnalyticsPharmacy

beforeAll(async () => {
  server = await analyticsServer({ clock: { now: () => Date.parse('2026-11-10T09:20:00Z') } })
})

beforeEach(async () => {
  own = await server.pharmacy()
})

describe('the page views of a period', () => {
  it('are divided by source, device and offer, and what was left out is there', async () => {
    await own.happen([
      { at: '2026-11-05T10:00:00Z', isVisitor: true, source: 'flyer', device: 'phone' },
      { at: '2026-11-05T10:05:00Z', source: 'search', device: 'computer' },
      { at: '2026-11-06T10:05:00Z', isVisitor: true, source: 'flyer', device: 'phone' },
      { at: '2026-11-06T10:05:00Z', kind: 'excluded', reason: 'bot', amount: 7 },
      { at: '2026-11-07T10:05:00Z', source: 'direct', device: 'phone' },
    ])
    const [offer = ''] = await own.offers({ name: '=Crema', imageId: 'gone' })
    const gone = randomUUID()
    await own.happen(
      [
        { kind: 'offer_seen', offerIds: [offer, gone] },
        { kind: 'offer_seen', offerIds: [offer] },
        { kind: 'offer_opened', offerIds: [offer] },
        { kind: 'whatsapp_tapped', offerIds: [offer, gone] },
        { kind: 'ordered', offerIds: [offer, gone] },
      ].map((event) => ({ ...event, at: '2026-11-06T12:00:00Z' })),
    )
    await own.figures('2026-11-05')
    const read = async () =>
      Traffic.parse((await own.ask(`/traffic${period('2026-11-05', '2026-11-06')}`)).json())
    const traffic = await read()
    expect(traffic).toMatchObject({
      sources: [
        { source: 'flyer', views: 2 },
        { source: 'search', views: 1 },
      ],
      devices: [
        { device: 'phone', views: 2 },
        { device: 'computer', views: 1 },
      ],
      excluded: [{ reason: 'bot', amount: 7 }],
      funnel: { views: 3, opened: 1, whatsappTaps: 1, ordered: null },
      offers: [
        { offerId: offer, name: '=Crema', state: 'active', lostPicture: true, seen: 2, opened: 1 },
        { offerId: gone, name: null, state: 'gone', seen: 1, whatsappTaps: 1, ordered: null },
      ],
    })
    expect(traffic.period).toEqual({ dal: '2026-11-05', al: '2026-11-06', confronto: 'precedente' })
    expect(traffic.attention?.map(({ offerId }) => offerId)).toEqual([offer])
    expect(traffic.weekHours[3]?.[11]).toBe(2)
    await own.ask('/settings', 'PATCH', { hasOrderCodes: true })
    // Each tab sends what it changes, and leaves alone what others have changed.
    expect((await own.ask('/settings', 'PATCH', { hasWeeklyMail: true })).json()).toEqual({
      isCounting: true,
      hasOrderCodes: true,
      hasWeeklyMail: true,
    })
    expect((await read()).funnel.ordered).toBe(1)
    const { rows } = await own.csvOf('offerte', '2026-11-05', '2026-11-06')
    expect(rows).toEqual([
      ["'=Crema", 'Attiva', '2', '1', '1', '1'],
      ['Offerta eliminata', 'Eliminata', '1', '0', '1', '1'],
    ])
    expect((await own.csvOf('provenienza', '2026-11-05', '2026-11-06')).rows[0]).toEqual([
      'Provenienza',
      'Volantino',
      '2',
    ])
    expect((await own.csvOf('ore', '2026-11-05')).rows[11]?.[4]).toBe('2')
  })

  it('name offers that need attention also beyond the most seen ones', async () => {
    const [offer = ''] = await own.offers({ name: 'Crema' })
    await server.query("update product_offers set end_date = '2026-11-01' where id = $1", offer)
    const others = Array.from({ length: MAX_FUNNEL_OFFERS }, () => randomUUID())
    const at = '2026-11-06T12:00:00Z'
    await own.happen([
      { at, kind: 'offer_seen', offerIds: [...others, offer] },
      { at, kind: 'offer_seen', offerIds: others },
    ])
    await own.figures('2026-11-06')
    const traffic = Traffic.parse((await own.ask(`/traffic${period('2026-11-06')}`)).json())
    expect(traffic.offers).toHaveLength(MAX_FUNNEL_OFFERS)
    expect(traffic.offers).not.toContainEqual(expect.objectContaining({ offerId: offer }))
    expect(traffic.attention).toMatchObject([{ offerId: offer, state: 'ended', seen: 1 }])
  })

  it('are the same in a workbook', async () => {
    await own.happen([{ at: '2026-11-05T10:00:00Z', isVisitor: true }])
    const { points } = await own.figures('2026-11-05', '2026-11-06')
    const reply = await own.ask(
      `/export${period('2026-11-05', '2026-11-06', '&tabella=panoramica&formato=xlsx')}`,
    )
    const book = new ExcelJS.Workbook()
    await book.xlsx.load(new Uint8Array(reply.rawPayload).buffer)
    const [sheet] = book.worksheets
    expect(sheet?.name).toBe('Panoramica 05.11.26–06.11.26')
    expect(sheet?.getColumn(2).values.slice(2)).toEqual(points.map(({ views }) => views))
    expect(sheet?.getCell('A2').value).toEqual(new Date('2026-11-05'))
  })
})

describe('notes', () => {
  const add = (payload: object) => own.ask('/notes', 'POST', payload)
  const remove = (id: string | null, whose = own) => whose.ask(`/notes/${id}`, 'DELETE')

  it('say what happened on a day: by themselves, and by hand', async () => {
    const [first = ''] = await own.offers({ name: 'Crema' }, { name: 'Sapone' }, { name: 'Olio' })
    await server.query('update product_offers set offer_price = 90 where id = $1', first)
    await server.query(
      `update offer_price_terms set
         from_at = case when offer_price = 90 then '2026-11-05 10:00Z'::timestamptz else '2026-11-02 10:00Z' end,
         to_at = case when to_at is not null then '2026-11-05 10:00Z'::timestamptz end
       where pharmacy_id = $1`,
      own.id,
    )
    const note = AnalyticsNote.parse((await add({ day: '2026-11-05', text: 'Volantino' })).json())
    expect((await own.figures('2026-11-01', '2026-11-10')).notes).toEqual([
      { id: null, day: '2026-11-01', kind: 'holiday', text: 'Ognissanti' },
      { id: null, day: '2026-11-02', kind: 'published', text: '3 offerte pubblicate' },
      { id: null, day: '2026-11-05', kind: 'price', text: 'Prezzo cambiato: Crema' },
      note,
    ])
    const stranger = await server.pharmacy()
    const change = (whose = own) =>
      whose.ask(`/notes/${note.id}`, 'PUT', { day: '2026-11-06', text: 'Locandina' })
    expect((await change(stranger)).statusCode).toBe(404)
    expect((await change()).json()).toEqual({ ...note, day: '2026-11-06', text: 'Locandina' })
    expect((await remove(note.id, stranger)).statusCode).toBe(404)
    expect((await stranger.figures('2026-11-01', '2026-11-10')).notes).toHaveLength(1)
    expect((await remove(note.id)).statusCode).toBe(200)
    expect((await remove(note.id)).json()).toMatchObject({ code: 'analytics.note_not_found' })
  })

  it('are 500 at most, also when they are sent together', async () => {
    await server.query(
      `insert into analytics_notes (pharmacy_id, date, text)
       select $1, '2026-11-05', 'n' || n from generate_series(1, 498) n`,
      own.id,
    )
    const note = { day: '2026-11-05', text: 'x' }
    const replies = await Promise.all(Array.from({ length: 5 }, () => add(note)))
    expect(
      replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other),
    ).toEqual([201, 201, 409, 409, 409])
  })
})
