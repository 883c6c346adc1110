import type { PublicPage } from '@bancone/contract/public-offers'
import { beforeAll, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import {
  addOffer,
  type PublicPagesServer,
  pageOf,
  plainRenderer,
  publicPagesServer,
} from '../../../test/public-pages-server.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'

let server: PublicPagesServer
/** Two processes of one Bancone. */
let apps: PublicPagesServer['app'][]
let now = Date.parse('2026-11-22T12:00:00Z')
let made = 0

beforeAll(async () => {
  const clock = { now: () => now }
  server = await publicPagesServer({ clock })
  const other = await testApp(
    server.database,
    { clock, renderers: { offers: plainRenderer() } },
    silentLog,
  )
  atEnd(async () => {
    await other.app.close()
    await other.wired.close()
  })
  apps = [server.app, other.app]
})

async function pharmacy() {
  made += 1
  const code = `FARM-${made}`
  return { code, id: await server.pharmacy(code) }
}

const sql = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

async function open(app: PublicPagesServer['app'], path: string) {
  const reply = await app.inject(path)
  const page = reply.statusCode === 301 ? undefined : pageOf(reply.body)
  return { status: reply.statusCode, location: reply.headers.location, page }
}

/** Waits until both show it: nothing but news makes them look again. */
async function bothShow<T>(path: string, what: (page: Opened) => T, expected: T) {
  for (const app of apps) {
    await expect.poll(async () => what(await open(app, path)), { timeout: 5_000 }).toEqual(expected)
  }
}

type Opened = { status: number; location: unknown; page: PublicPage | undefined }

const names = ({ page }: Opened) => page?.content?.offers.map(({ fields }) => fields.Nome_Prodotto)
const status = (opened: Opened) => opened.status

describe('in two processes a page is another one as soon as', () => {
  it('an offer is made, changed, switched off or removed', async () => {
    const { code, id } = await pharmacy()
    const path = `/offers/${code}`
    await bothShow(path, names, [])
    const offer = await addOffer(server, id, { name: 'Prima' })
    await bothShow(path, names, ['Prima'])
    await bothShow(`${path}/${offer}`, status, 200)
    await sql("update product_offers set product_name = 'Poi' where id = $1", offer)
    await bothShow(path, names, ['Poi'])
    await bothShow(`${path}?tipo=offers`, names, ['Poi'])
    await sql('update product_offers set is_active = false where id = $1', offer)
    await bothShow(path, names, [])
    await bothShow(`${path}/${offer}`, status, 404)
    await sql('update product_offers set is_active = true where id = $1', offer)
    await bothShow(`${path}/${offer}`, status, 200)
    await sql('delete from product_offers where id = $1', offer)
    await bothShow(path, names, [])
  })

  it.each([
    ["name = 'Altra'", ({ page }: Opened) => page?.content?.pharmacy?.name, 'Altra'],
    ["phone = '055 1'", ({ page }: Opened) => page?.content?.pharmacy?.phone, '055 1'],
    ['max_offers = 1', ({ page }: Opened) => page?.content?.offers.length, 1],
    ['is_active = false', status, 403],
    ["features_enabled = '[]'", status, 403],
  ])('the pharmacy has %s', async (change, what, expected) => {
    const { code, id } = await pharmacy()
    for (const name of ['A', 'B']) await addOffer(server, id, { name })
    await bothShow(`/offers/${code}`, names, ['B', 'A'])
    await sql(`update pharmacies set ${change} where id = $1`, id)
    await bothShow(`/offers/${code}`, what, expected)
  })

  it('the pharmacy is there, has another code, or is gone', async () => {
    const code = 'APPEARS'
    await bothShow(`/offers/${code}`, status, 404)
    const id = await server.pharmacy(code)
    await bothShow(`/offers/${code}`, status, 200)
    await bothShow('/offers/RENAMED', status, 404)
    await sql("update pharmacies set pharmacy_id = 'Renamed' where id = $1", id)
    await bothShow('/offers/RENAMED', ({ location }) => location, '/offers/Renamed')
    await bothShow('/offers/Renamed', status, 200)
    await bothShow(`/offers/${code}`, status, 404)
    await sql('delete from pharmacies where id = $1', id)
    await bothShow('/offers/Renamed', status, 404)
  })

  it('a category has another name', async () => {
    const { code, id } = await pharmacy()
    await addOffer(server, id, { category: 'Veterinaria' })
    const categories = ({ page }: Opened) => page?.content?.offers.map((o) => o.fields.Categoria)
    await bothShow(`/offers/${code}`, categories, ['Veterinaria'])
    await sql("update product_categories set name = 'Animali' where name = 'Veterinaria'")
    await bothShow(`/offers/${code}`, categories, ['Animali'])
    await bothShow(
      `/offers/${code}?categoria=Animali`,
      ({ page }) => page?.search.categoria,
      'Animali',
    )
  })

  it('the day has ended', async () => {
    const { code, id } = await pharmacy()
    await addOffer(server, id, { name: 'Ieri', to: '2026-11-22' })
    await addOffer(server, id, { name: 'Oggi', from: '2026-11-23' })
    await bothShow(`/offers/${code}`, names, ['Ieri'])
    now = Date.parse('2026-11-22T22:59:59.999Z')
    for (const app of apps) expect(names(await open(app, `/offers/${code}`))).toEqual(['Ieri'])
    now += 1
    for (const app of apps) expect(names(await open(app, `/offers/${code}`))).toEqual(['Oggi'])
  })
})

describe('a page that is made while something changes', () => {
  it('is not kept', async () => {
    const { code, id } = await pharmacy()
    await addOffer(server, id, { name: 'Prima' })
    server.renderer.first(async () => {
      server.renderer.first(async () => {})
      await sql("update product_offers set product_name = 'Poi' where pharmacy_id = $1", id)
    })
    expect(names(await open(server.app, `/offers/${code}`))).toEqual(['Prima'])
    await bothShow(`/offers/${code}`, names, ['Poi'])
  })
})
