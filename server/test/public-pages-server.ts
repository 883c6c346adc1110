import type { PublicPage } from '@bancone/contract/public-offers'
import { PublicPage as Page } from '@bancone/contract/public-offers'
import type { Settings } from '../src/wiring/wiring.ts'
import { type TestServer, testServer } from './server.ts'

/** A renderer that writes the page's data as JSON, and records its calls. */
export function plainRenderer() {
  const drawn: PublicPage[] = []
  let before = async () => {}
  return {
    drawn,
    /** Runs before each rendering from now on. */
    first(work: () => Promise<void>) {
      before = work
    },
    async render(page: PublicPage) {
      drawn.push(page)
      await before()
      const text = JSON.stringify(page).replaceAll('<', '\\u003c')
      return `<!doctype html><title>Offerte</title><script type="application/json">${text}</script>`
    },
  }
}

export type PlainRenderer = ReturnType<typeof plainRenderer>

/** The data of a rendered page. */
export function pageOf(html: string): PublicPage {
  const [, text = ''] = /<script type="application\/json">(.*)<\/script>/.exec(html) ?? []
  return Page.parse(JSON.parse(text))
}

export type PublicPagesServer = TestServer & {
  renderer: PlainRenderer
  /** Adds a pharmacy with offers. @returns its id */
  pharmacy(code: string): Promise<string>
}

/** The real application with the plain renderer. */
export async function publicPagesServer(
  settings: Partial<Settings> = {},
): Promise<PublicPagesServer> {
  const renderer = plainRenderer()
  const server = await testServer({
    ...settings,
    renderers: { offers: renderer, ...settings.renderers },
  })
  return {
    ...server,
    renderer,
    pharmacy: (code) =>
      server.addPharmacy({ email: `${code}@example.it`, code, features: ['offers'] }),
  }
}

/** Inserts an offer into the database. @returns its id */
export async function addOffer(
  { database: { pool } }: Pick<TestServer, 'database'>,
  pharmacyId: string,
  offer: Partial<NewOffer> = {},
): Promise<string> {
  const made = { ...usual, ...offer }
  const { rows } = await pool.query<{ id: string }>(
    `insert into product_offers (
       pharmacy_id, pharmacy_code, product_name, category, list_price, prior_price, offer_price, start_date,
       end_date, is_active, image_url, position
     )
     select id, pharmacy_id, $2, $3, 1000, 1000, $4, $5, $6, $7, '/product-placeholder.svg', $8
     from pharmacies where id = $1 returning id`,
    [
      pharmacyId,
      made.name,
      made.category,
      made.price,
      made.from,
      made.to,
      made.isActive,
      made.position,
    ],
  )
  const [row] = rows
  if (!row) throw new Error('there is no such pharmacy')
  return row.id
}

type NewOffer = {
  name: string
  category: string
  price: number
  from: string
  to: string | null
  isActive: boolean
  position: number | null
}

const usual: NewOffer = {
  name: 'Crema mani',
  category: 'Cosmetici',
  price: 800,
  from: '2026-01-01',
  to: null,
  isActive: true,
  position: null,
}
