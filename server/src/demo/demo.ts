import { randomBytes, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { addDays, dayOf } from '@bancone/contract/dates'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { SupportContact } from '@bancone/contract/settings'
import { DEFAULT_MAX_OFFERS } from '@bancone/contract/subscription-plans'
import {
  DEMO_OPENID,
  startDemoAirtable,
  startDemoMeta,
  startDemoProducts,
  startDemoOpenId as startOpenId,
} from '@bancone/sandbox/demo'
import { MIGRATION_BASE_ID, MIGRATION_TABLE_ID } from '@bancone/sandbox/demo-migration'
import { demoOffers } from '@bancone/sandbox/demo-offers'
import {
  DEMO_BASE_ID,
  DEMO_TABLE_ID,
  type DemoOrder,
  demoOrders,
} from '@bancone/sandbox/demo-orders'
import { AppError } from '../base/app-error.ts'
import type { OidcSettings } from '../config/providers.ts'
import type { Database } from '../database/database.ts'
import { createAdministratorsStore } from '../features/administrators/administrators.store.ts'
import { createAnalyticsSettingsStore } from '../features/analytics/analytics-settings.store.ts'
import {
  DEMO_FLYER,
  foldDemo,
  insertDemoConfirmations,
  queueDemoOrders,
  queueDemoPageViews,
} from '../features/analytics/demo-figures.store.ts'
import { createNotesStore } from '../features/analytics/notes.store.ts'
import { createColleaguesStore } from '../features/colleagues/colleagues.store.ts'
import { createImagesStore } from '../features/images/images.store.ts'
import type { OfferDraft } from '../features/offers/offers.rules.ts'
import { createOffersStore } from '../features/offers/offers.store.ts'
import { noHooks } from '../features/orders/records/order-hooks.ts'
import { upsertOrders } from '../features/orders/records/order-upsert.store.ts'
import { createSettingsStore } from '../features/settings/settings.store.ts'
import { createAuthStore } from '../platform/auth/auth.store.ts'
import { hashPassword } from '../platform/auth/passwords.ts'
import type { SourceOrder } from '../ports/order-source.ts'
import type { Wired } from '../wiring/wiring.ts'
import { demoAccounts, demoPassword, demoPharmacyCode } from './demo-accounts.ts'
import { insertDemoPharmacy, insertDemoPlans, seedDemoPharmacies } from './demo-pharmacies.ts'

export { startDemoAirtable, startDemoMeta, startDemoProducts }

/** The Airtable base of the first demo pharmacy. */
export const demoLocation = { baseId: DEMO_BASE_ID, tableId: DEMO_TABLE_ID }

/** How the pharmacies of the demo reach those who run it. */
const demoSupport: SupportContact = {
  email: 'assistenza@demo.bancone.it',
  phone: '+390415550100',
  whatsapp: '',
  hours: 'lun–ven 9–18',
}

const GARIBALDI_ORDERS = 30

/** Has an account with the identity provider, and none here. */
const STRANGER = 'ospite@demo.bancone.it'

/** Starts an identity provider that all demo accounts can sign in with. */
export async function startDemoOpenId(
  publicUrl: string,
): Promise<OidcSettings & { close(): Promise<void> }> {
  const emails = [...demoAccounts.map(({ email }) => email), STRANGER]
  const { issuer, close } = await startOpenId(`${publicUrl}/auth/v1/callback`, emails)
  return { ...DEMO_OPENID, issuer, close }
}

/**
 * Creates the demo accounts in one transaction, if the database is empty.
 *
 * @returns the id of the first pharmacy; undefined when the database was not empty
 */
export async function seedDemo(db: Database): Promise<string | undefined> {
  if (await createAuthStore(db).users.exists()) return undefined
  const passwordHash = await hashPassword(demoPassword)
  const made = await db.transaction().execute(async (tx) => {
    const auth = createAuthStore(tx)
    const create = async (email: string, userMetadata = {}) => {
      const user = await auth.users.insert({ email, passwordHash, confirmed: true, userMetadata })
      if (!user) throw new Error(`the demo account ${email} is there already`)
      return user.id
    }
    const sanMarco = await create(demoAccounts[0].email)
    const plans = await insertDemoPlans(tx)
    await insertDemoPharmacy(tx, sanMarco, plans.Premium, {
      code: demoPharmacyCode,
      name: 'Farmacia San Marco',
      email: demoAccounts[0].email,
      phone: '+39 041 520 1234',
      address: 'Calle Larga San Marco 412, 30124 Venezia VE',
      airtable: demoLocation,
      own: { max_offers: DEFAULT_MAX_OFFERS },
    })
    const giulia = 'Giulia Ferri'
    await createColleaguesStore(tx).insert(sanMarco, {
      userId: await create(demoAccounts[1].email, { full_name: giulia }),
      name: giulia,
      role: 'staff',
      invitedBy: sanMarco,
    })
    const garibaldi = await create(demoAccounts[2].email)
    const ownRow = {
      id: garibaldi,
      pharmacy_id: 'PHARM-0002',
      name: 'Farmacia Garibaldi',
      email: demoAccounts[2].email,
      phone: '+39 02 6555 0199',
      address: 'Corso Garibaldi 87, 20121 Milano MI',
      use_supabase_orders: true,
    }
    await tx.insertInto('pharmacies').values(ownRow).execute()
    const toBeMoved = { baseId: MIGRATION_BASE_ID, tableId: MIGRATION_TABLE_ID }
    await seedDemoPharmacies(tx, plans, toBeMoved)
    const administrator = await create(demoAccounts[3].email)
    await createAdministratorsStore(tx).insert(administrator)
    const orders = demoOrders({ count: GARIBALDI_ORDERS, now: new Date(), seed: 2 })
    // The initial orders are not new; only orders that arrive while the demo runs are.
    await upsertOrders(tx, noHooks, garibaldi, orders.map(sourceOrder), {
      readStartedAt: new Date().toISOString(),
      countsAsNew: false,
    })
    return { sanMarco, administrator }
  })
  const support = { key: 'support', version: 0, value: demoSupport } as const
  await createSettingsStore(db).change(support, made.administrator)
  return made.sanMarco
}

/** Creates the offers of the first demo pharmacy, with stored pictures. */
export function seedDemoOffers(
  db: Database,
  wired: Pick<Wired, 'images' | 'temporaryFiles'>,
  pharmacyId: string,
): Promise<void> {
  return writeOffers(db, wired, pharmacyId, demoOffers(dayOf(Date.now())))
}

/** Creates an order of the second demo pharmacy, which has no Airtable base. */
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
    // No picture: pictures are served by the sandbox, whose URL changes.
    image: null,
    pharmaWa: null,
    createdAt,
    updatedAt: createdAt,
  }
}

/** The fields of an offer, and a function that creates its picture. */
type OfferWithPicture = {
  fields: Omit<OfferDraft, 'URL_Immagine' | 'CloudinaryID'>
  picture(): Promise<Uint8Array>
}

type StoredPicture = Pick<OfferDraft, 'URL_Immagine' | 'CloudinaryID'>

/** Inserts offers directly, because the service refuses offers that have already ended. */
async function writeOffers(
  db: Database,
  wired: Pick<Wired, 'images' | 'temporaryFiles'>,
  pharmacyId: string,
  offers: readonly OfferWithPicture[],
): Promise<void> {
  const illustrated = await Promise.all(
    offers.map(async ({ fields, picture }) => ({
      fields,
      stored: await storePicture(wired, pharmacyId, await picture()),
    })),
  )
  for (const { fields, stored } of illustrated) {
    await db.transaction().execute(async (tx) => {
      const id = randomUUID()
      const { CloudinaryID: publicId } = stored
      if (publicId !== null) await createImagesStore(tx).hold(pharmacyId, publicId, `offer:${id}`)
      await createOffersStore(tx).insert(pharmacyId, id, { ...fields, ...stored }, pharmacyId)
    })
  }
}

/** Stores a picture. If that fails, the offer gets the placeholder. */
async function storePicture(
  { images, temporaryFiles }: Pick<Wired, 'images' | 'temporaryFiles'>,
  pharmacyId: string,
  picture: Uint8Array,
): Promise<StoredPicture> {
  await using file = await temporaryFiles.create()
  await writeFile(file.path, picture, { flag: 'wx', mode: 0o600 })
  try {
    const { url, publicId } = await images.keep(pharmacyId, file.path, 'upload')
    return { URL_Immagine: url, CloudinaryID: publicId }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { URL_Immagine: PLACEHOLDER_IMAGE, CloudinaryID: null }
  }
}

/** Thirteen months of figures of the first demo pharmacy, whose offers and orders are there already. */
export async function seedDemoAnalytics(db: Database, pharmacyId: string): Promise<void> {
  const today = dayOf(Date.now())
  // The codes join orders with offers in its funnel.
  await createAnalyticsSettingsStore(db).change(pharmacyId, { hasOrderCodes: true })
  const flyer = { day: addDays(today, -DEMO_FLYER.from), text: 'Volantino nelle cassette' }
  await createNotesStore(db).add(pharmacyId, flyer)
  await queueDemoPageViews(db, pharmacyId, today)
  await queueDemoOrders(db, pharmacyId, today)
  await insertDemoConfirmations(db, pharmacyId)
  await foldDemo(db)
}
