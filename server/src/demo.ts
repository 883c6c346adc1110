import { randomBytes } from 'node:crypto'
import { Feature } from '@bancone/contract/access'
import { dayOf } from '@bancone/contract/dates'
import {
  DEMO_OPENID,
  startDemoAirtable,
  startDemoProducts,
  startDemoOpenId as startOpenId,
} from '@bancone/sandbox/demo'
import { demoOffers } from '@bancone/sandbox/demo-offers'
import {
  DEMO_BASE_ID,
  DEMO_TABLE_ID,
  type DemoOrder,
  demoOrders,
} from '@bancone/sandbox/demo-orders'
import type { Services } from './app.ts'
import type { Database } from './database/database.ts'
import { demoAccounts, demoPassword, demoPharmacyCode } from './demo-accounts.ts'
import { writeOffers } from './demo-offers.ts'
import { createAdministratorsStore } from './features/administrators/administrators.store.ts'
import { createColleaguesStore } from './features/colleagues/colleagues.store.ts'
import { noHooks, writeOrders } from './features/orders/copy/order-writing.store.ts'
import { createPharmaciesStore } from './features/pharmacies/pharmacies.store.ts'
import type { OidcSettings } from './platform/auth/auth.service.ts'
import { createAuthStore } from './platform/auth/auth.store.ts'
import { hashPassword } from './platform/auth/passwords.ts'
import type { SourceOrder } from './ports/order-source.ts'

export { startDemoAirtable, startDemoProducts }

const GARIBALDI_ORDERS = 30

/** Has an account with the other service and none here. */
const STRANGER = 'ospite@demo.bancone.it'

/** Another service that all of the demo's accounts can sign in with. */
export async function startDemoOpenId(
  publicUrl: string,
): Promise<OidcSettings & { close(): Promise<void> }> {
  const emails = [...demoAccounts.map(({ email }) => email), STRANGER]
  const { issuer, close } = await startOpenId(`${publicUrl}/auth/v1/callback`, emails)
  return { ...DEMO_OPENID, issuer, close }
}

/**
 * Fills an empty database, and only an empty one, with the demo's accounts. All or nothing.
 *
 * @returns the id of its first pharmacy; undefined when the database was not empty
 */
export async function seedDemo(db: Database): Promise<string | undefined> {
  const passwordHash = await hashPassword(demoPassword)
  return db.transaction().execute(async (tx) => {
    const auth = createAuthStore(tx)
    if (await auth.users.any()) return undefined
    const pharmacies = createPharmaciesStore(tx)
    const create = async (email: string, userMetadata = {}) => {
      const user = await auth.users.insert({ email, passwordHash, confirmed: true, userMetadata })
      if (!user) throw new Error(`the demo account ${email} is there already`)
      return user.id
    }
    const sanMarco = await create(demoAccounts[0].email)
    await pharmacies.insert({
      id: sanMarco,
      pharmacyId: demoPharmacyCode,
      name: 'Farmacia San Marco',
      email: demoAccounts[0].email,
      phone: '+39 041 520 1234',
      address: 'Calle Larga San Marco 412, 30124 Venezia VE',
      features: Feature.options,
      airtable: { baseId: DEMO_BASE_ID, tableId: DEMO_TABLE_ID },
    })
    const giulia = 'Giulia Ferri'
    await createColleaguesStore(tx).insert(sanMarco, {
      userId: await create(demoAccounts[1].email, { full_name: giulia }),
      name: giulia,
      role: 'staff',
      invitedBy: sanMarco,
    })
    const garibaldi = await create(demoAccounts[2].email)
    await pharmacies.insert({
      id: garibaldi,
      pharmacyId: 'PHARM-0002',
      name: 'Farmacia Garibaldi',
      email: demoAccounts[2].email,
      phone: '+39 02 6555 0199',
      address: 'Corso Garibaldi 87, 20121 Milano MI',
      features: [],
      airtable: null,
    })
    await createAdministratorsStore(tx).insert(await create(demoAccounts[3].email))
    const orders = demoOrders({ count: GARIBALDI_ORDERS, now: new Date(), seed: 2 })
    // Nothing of the demo is new to its pharmacy but what comes while somebody tries it out.
    await writeOrders(tx, noHooks, garibaldi, orders.map(sourceOrder), {
      readSince: new Date().toISOString(),
      arriving: false,
    })
    return sanMarco
  })
}

/** What the demo's first pharmacy offers, with pictures that are kept like anybody's. */
export function seedDemoOffers(
  db: Database,
  services: Pick<Services, 'images' | 'scratch'>,
  pharmacyId: string,
): Promise<void> {
  return writeOffers(db, services, pharmacyId, demoOffers(dayOf(Date.now())))
}

/** The demo's second pharmacy has no order store: its orders are made here. */
function sourceOrder(order: DemoOrder, index: number): SourceOrder {
  const createdAt = new Date(order.createdAt).toISOString()
  return {
    recordId: `rec${randomBytes(7).toString('hex')}`,
    orderNumber: String(index + 1),
    waId: null,
    customerName: order.customer,
    customerPhone: order.phone,
    address: order.address,
    details: order.product,
    status: order.status,
    // The pictures are the sandbox's, whose address changes; this pharmacy has none.
    image: null,
    pharmaWa: null,
    createdAt,
    updatedAt: createdAt,
  }
}
