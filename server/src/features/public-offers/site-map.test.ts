import { beforeAll, describe, expect, it } from 'vitest'
import {
  addOffer,
  type PublicPagesServer,
  publicPagesServer,
} from '../../../test/public-pages-server.ts'
import { siteMapText } from './site-map.routes.ts'

let server: PublicPagesServer
let now = Date.parse('2026-11-22T12:00:00Z')

beforeAll(async () => {
  server = await publicPagesServer({ clock: { now: () => now } })
})

async function listed() {
  const reply = await server.app.inject('/sitemap.xml')
  expect([reply.statusCode, reply.headers['content-type']]).toEqual([
    200,
    'application/xml; charset=utf-8',
  ])
  return [...reply.body.matchAll(/<loc>http:\/\/localhost:3000(.*?)<\/loc>/g)].map(([, url]) => url)
}

describe('the site map', () => {
  it('lists what is shown: the pharmacies that show offers, and these', async () => {
    const shown = await server.pharmacy('FARM-1')
    const closed = await server.pharmacy('FARM-2')
    await server.addPharmacy({ email: 'none@example.it', code: 'FARM-3' })
    const full = await server.pharmacy('FARM-4')
    await server.pharmacy('FARM-5')
    const { pool } = server.database
    await pool.query('update pharmacies set is_active = false where id = $1', [closed])
    await pool.query('update pharmacies set max_offers = 2 where id = $1', [full])
    await addOffer(server, closed)
    const one = await addOffer(server, shown, { to: '2026-11-22' })
    const next = await addOffer(server, shown, { from: '2026-11-23' })
    await addOffer(server, shown, { isActive: false })
    await addOffer(server, shown, { to: '2026-11-21' })
    const last = await addOffer(server, full)
    const arranged = await addOffer(server, full, { position: 0 })
    const newest = await addOffer(server, full)
    // A medicine without its code is not published.
    const refused = await addOffer(server, full, { position: 1, category: 'Farmaci da banco' })
    const pages = [
      '/offers/FARM-1',
      `/offers/FARM-1/${one}`,
      '/offers/FARM-4',
      `/offers/FARM-4/${arranged}`,
      `/offers/FARM-4/${newest}`,
    ]
    await expect.poll(listed).toEqual(pages)
    for (const url of pages) {
      expect([url, (await server.app.inject(url)).statusCode]).toEqual([url, 200])
    }
    for (const id of [last, refused]) {
      expect((await server.app.inject(`/offers/FARM-4/${id}`)).statusCode).toBe(404)
    }

    now = Date.parse('2026-11-22T23:00:00Z')
    expect(await listed()).toContain(`/offers/FARM-1/${next}`)
    expect(await listed()).not.toContain(`/offers/FARM-1/${one}`)
    await pool.query('delete from product_offers where id = $1', [next])
    await expect.poll(listed).not.toContain(`/offers/FARM-1/${next}`)
    expect(await listed()).not.toContain('/offers/FARM-1')
  })

  it('says when something of a page has changed, and what a code is made of', () => {
    const changedAt = '2026-11-22T12:00:00.000Z'
    const pages = [{ code: "d'Or & <Co>", offerId: null, changedAt }]
    const text = siteMapText(pages, 'https://bancone.example.it')
    expect(text).toContain(
      '<url><loc>https://bancone.example.it/offers/d&#39;Or%20%26%20%3CCo%3E</loc>' +
        `<lastmod>${changedAt}</lastmod></url>`,
    )
    expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?>\n<urlset .*<\/urlset>\n$/s)
  })
})

describe('robots', () => {
  it('may read public pages and what is in them, and nothing else', async () => {
    const { body, headers } = await server.app.inject('/robots.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    const lines = body.split('\n')
    expect(lines[0]).toBe('User-agent: *')
    expect(lines).toEqual(expect.arrayContaining(['Allow: /offers/', 'Allow: /images/']))
    expect(lines).toContain('Disallow: /')
    expect(lines).toContain('Sitemap: http://localhost:3000/sitemap.xml')
  })
})
