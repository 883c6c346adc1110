import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import PostalMime from 'postal-mime'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AnalyticsPharmacy, analyticsServer } from '../../../../test/analytics-server.ts'
import { testFileFolder } from '../../../../test/temporary-folder.ts'
import { secondsToSending, suggestionOf, weekBefore } from './weekly-mail.rules.ts'
import { WEEKLY_MAILS_TASK } from './weekly-mail.service.ts'

const TASK = 'analytics.weekly_mail'
/** Monday, 06:11 in Rome. */
const now = Date.parse('2026-11-09T05:11:00Z')

let server: Awaited<ReturnType<typeof analyticsServer>>
let own: AnalyticsPharmacy
let outbox: string

beforeAll(async () => {
  outbox = join(await testFileFolder(), 'outbox')
  server = await analyticsServer({
    clock: { now: () => now },
    mail: { smtpUrl: undefined, from: 'Bancone <bancone@example.it>', outbox },
  })
})

beforeEach(async () => {
  own = await server.pharmacy()
})

const subscribe = (hasWeeklyMail = true) => own.ask('/settings', 'PATCH', { hasWeeklyMail })

async function mailsTo(email: string) {
  const files = await readdir(outbox).catch(() => [])
  const mails = await Promise.all(
    files.map(async (file) => PostalMime.parse(await readFile(join(outbox, file)))),
  )
  return mails.filter(({ to }) => to?.some(({ address }) => address === email))
}

/** The pharmacies for which a mail waits. */
const waiting = () =>
  server.query<{ id: string; time: string }>(
    `select payload->>'pharmacyId' as id, run_at as time
     from graphile_worker._private_jobs join graphile_worker._private_tasks as task on task.id = task_id
     where task.identifier = $1`,
    TASK,
  )

describe('the mail of a week', () => {
  it('compares it with the week before, and leads to the page and the settings', async () => {
    await subscribe()
    await own.offers({ name: 'Crema segreta' })
    await own.happen([
      { at: '2026-10-25T17:00:00Z' },
      ...Array.from({ length: 5 }, () => ({ at: '2026-10-29T17:00:00Z' })),
      ...Array.from({ length: 3 }, () => ({ at: '2026-11-04T17:10:00Z', source: 'flyer' })),
      { at: '2026-11-05T17:10:00Z' },
    ])
    await own.order('2026-10-25T10:00:00Z')
    await own.order('2026-11-04T10:00:00Z')
    await own.figures('2026-11-04')
    await server.runTask(TASK, { pharmacyId: own.id })
    const [mail] = await mailsTo(own.email)
    const text = mail?.text ?? ''
    for (const sentence of [
      'La settimana dal 02/11/2026 al 08/11/2026',
      'La pagina delle offerte ha avuto 4 visualizzazioni, 1 in meno della settimana prima (5).',
      'È arrivato 1 ordine, 1 in più della settimana prima (0).',
      'Il giorno con più visualizzazioni è stato mercoledì (3); la settimana prima era stato giovedì, e l’ora migliore quella tra le 18 e le 19.',
      'Un suggerimento. Pubblica la prossima offerta di mercoledì, quando la pagina è più visitata.',
      'mercoledì 3, giovedì 1',
      'http://localhost:3000/analytics\n',
    ]) {
      expect(text).toContain(sentence)
    }
    expect(mail?.html).toContain('cid:visualizzazioni')
    expect(`${text}${mail?.html}`).not.toMatch(/Crema|Anna|Tachipirina/)
    const header = mail?.headers.find(({ key }) => key === 'list-unsubscribe')
    expect(header?.value).toBe('<http://localhost:3000/analytics/settings>')
    const [picture] = mail?.attachments ?? []
    const png = picture?.content
    expect(picture).toMatchObject({ mimeType: 'image/png', disposition: 'inline' })
    expect(png instanceof ArrayBuffer && Buffer.from(png).subarray(1, 4).toString()).toBe('PNG')
  })

  it('counts the offers that customers see', async () => {
    await subscribe()
    await own.offers({ name: 'Crema' })
    await server.query('update pharmacies set max_offers = 0 where id = $1', own.id)
    await server.runTask(TASK, { pharmacyId: own.id })
    const [mail] = await mailsTo(own.email)
    expect(mail?.text).toContain('Non hai offerte attive')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/ritira/)
  })

  it('counts the orders to collect and those not collected, and leads to them', async () => {
    await subscribe()
    const readyAt = (order: string, at: string) =>
      server.query('update pharmacy_orders set ready_at = $2 where id = $1', order, at)
    await readyAt(await own.order('2026-11-02T10:00:00Z'), '2026-11-02T11:00:00Z')
    await readyAt(await own.order('2026-11-08T10:00:00Z'), '2026-11-08T11:00:00Z')
    await server.runTask(TASK, { pharmacyId: own.id })
    const [mail] = await mailsTo(own.email)
    expect(mail?.text).toContain('Da ritirare: 2 ordini:\nhttp://localhost:3000/?ritiro=si\n')
    expect(mail?.text).toContain('Non ritirati: 1 ordine:\nhttp://localhost:3000/?ritiro=scaduti\n')
    expect(mail?.html).toContain('href="http://localhost:3000/?ritiro=scaduti"')
    expect(`${mail?.text}${mail?.html}`).not.toMatch(/Anna|Tachipirina/)
  })

  it('waits until 07:30, for those alone that want it', async () => {
    await server.runTask(WEEKLY_MAILS_TASK)
    expect(await waiting()).not.toContainEqual(expect.objectContaining({ id: own.id }))
    await subscribe()
    await server.runTask(WEEKLY_MAILS_TASK)
    expect((await waiting()).filter(({ id }) => id === own.id)).toHaveLength(1)
  })

  it.each([
    ['does not want it', () => subscribe(false)],
    [
      'has no analytics any more',
      () => server.query(`update pharmacies set features_enabled = '[]' where id = $1`, own.id),
    ],
    [
      'is not active',
      () => server.query('update pharmacies set is_active = false where id = $1', own.id),
    ],
  ])('is not sent to a pharmacy that %s', async (_why, change) => {
    await subscribe()
    await change()
    await server.runTask(TASK, { pharmacyId: own.id })
    expect(await mailsTo(own.email)).toEqual([])
  })
})

it.each([
  ['2026-11-09T05:11:00Z', 79 * 60],
  ['2026-07-06T04:11:00Z', 79 * 60],
  ['2026-11-09T12:00:00Z', 0],
  ['2026-11-10T05:11:00Z', null],
])('at %s it is sent in %s seconds', (time, seconds) => {
  expect(secondsToSending(Date.parse(time))).toBe(seconds)
})

it.each([
  ['2026-11-09', '2026-11-02'],
  ['2026-11-15', '2026-11-02'],
])('the week before that of %s begins on %s', (day, monday) => {
  expect(weekBefore(day).dal).toBe(monday)
})

describe('the suggestion', () => {
  const offer: OfferFunnel = {
    offerId: '1',
    name: 'Crema',
    imageUrl: null,
    state: 'active',
    lostPicture: false,
    seen: 90,
    opened: 10,
    whatsappTaps: 0,
    ordered: null,
  }
  const hours = Array.from({ length: 24 }, (_, hour) => ({
    hour,
    confirmed: 0,
    medianMinutes: null as number | null,
  }))
  const traffic: Pick<Traffic, 'weekHours' | 'sources' | 'offers'> = {
    weekHours: [],
    sources: [{ source: 'poster', views: 1 }],
    offers: [offer],
  }
  const point = { at: '', views: 0, total: 0 }
  const week = {
    overview: { points: [], previousPoints: [point], previous: null, ordersFailed: false },
    traffic,
    waits: { confirmed: 0, medianMinutes: null, p90Minutes: null, hours },
    activeOffers: 3,
  }
  const slow = hours.with(13, { hour: 13, confirmed: 3, medianMinutes: 75 })

  it.each([
    ['Non hai offerte attive', { activeOffers: 0 }],
    [
      'ha perso la sua immagine',
      { traffic: { ...traffic, offers: [{ ...offer, lostPicture: true }] } },
    ],
    [
      'tra le 13 e le 14 aspettano la conferma 75 minuti',
      { waits: { ...week.waits, hours: slow } },
    ],
    ['guardata 20 volte', { traffic: { ...traffic, offers: [offer, { ...offer, opened: 20 }] } }],
    ['codice QR', { traffic: { ...traffic, sources: [] } }],
    ['Condividi il link', {}],
  ])('is: … %s …', (words, difference) => {
    const summary = {} as never
    const given = { ...week, overview: { ...week.overview, summary }, ...difference }
    expect(suggestionOf(given)).toContain(words)
  })
})
