import { randomUUID } from 'node:crypto'
import { Feature } from '@bancone/contract/access'
import { addDays, type Day, dayOf } from '@bancone/contract/dates'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import type { Database } from '../database/database.ts'
import { createOffersStore } from '../features/offers/offers.store.ts'
import { noHooks } from '../features/orders/records/order-hooks.ts'
import { createOrderCopyStore } from '../features/orders/sync/order-copy.store.ts'
import {
  createAdminPharmaciesStore,
  hidePharmacy,
} from '../features/pharmacies/admin-pharmacies.store.ts'
import { insertPlan } from '../features/subscription-plans/subscription-plans.store.ts'
import { createAudit } from '../platform/audit.ts'
import { createAuthStore } from '../platform/auth/auth.store.ts'
import type { SourceLocation } from '../ports/order-source.ts'

type PlanName = 'Base' | 'Standard' | 'Premium'

type DemoPlans = Record<PlanName, SubscriptionPlan>

type DemoPharmacy = {
  code: string
  name: string
  email: string
  phone: string
  address: string
  airtable?: SourceLocation
  isActive?: boolean
  validUntil?: Day
  /** What it has in place of what the plan grants. */
  own?: { max_offers?: number | null; features?: Feature[] }
}

/** The state of a pharmacy of which the demo only shows the administration. */
type Neighbour = Omit<DemoPharmacy, 'code' | 'email' | 'validUntil'> & {
  /** The part of its address before the @. */
  mailbox: string
  plan: PlanName
  /** Days from today to the end of its plan. */
  endsIn?: number
  offers?: number
  /** The copy of its orders could not be read. */
  copyFails?: true
  isInvited?: true
  /** Its orders are to be moved out of Airtable. */
  isToBeMoved?: true
  isDeleted?: true
}

/** A base that the token may not read. */
const OTHER_BASE = { baseId: 'appVecchiaBase001', tableId: 'tblOrdiniVecchi01' }

const neighbours: readonly Neighbour[] = [
  {
    name: 'Farmacia Centrale',
    mailbox: 'centrale',
    phone: '+39 051 234 567',
    address: 'Via Rizzoli 20, 40125 Bologna BO',
    plan: 'Standard',
    endsIn: 200,
    offers: 3,
  },
  {
    name: 'Farmacia del Porto',
    mailbox: 'porto',
    phone: '+39 010 246 8100',
    address: 'Via del Campo 8, 16124 Genova GE',
    plan: 'Base',
    offers: 9,
  },
  {
    name: "Farmacia Sant'Anna",
    mailbox: 'santanna',
    phone: '+39 011 562 3344',
    address: 'Via Po 33, 10124 Torino TO',
    plan: 'Standard',
    airtable: OTHER_BASE,
    copyFails: true,
  },
  {
    name: 'Farmacia Vesuvio',
    mailbox: 'vesuvio',
    phone: '+39 081 552 7788',
    address: 'Via Toledo 145, 80134 Napoli NA',
    plan: 'Standard',
    endsIn: -30,
    offers: 2,
  },
  {
    name: 'Farmacia Etrusca',
    mailbox: 'etrusca',
    phone: '+39 075 572 1010',
    address: 'Corso Vannucci 51, 06121 Perugia PG',
    plan: 'Base',
    endsIn: -5,
  },
  {
    name: 'Farmacia Bianchi',
    mailbox: 'bianchi',
    phone: '+39 055 215 472',
    address: 'Via dei Calzaiuoli 7, 50122 Firenze FI',
    plan: 'Base',
    isDeleted: true,
  },
  {
    name: 'Farmacia dei Trulli',
    mailbox: 'trulli',
    phone: '+39 080 521 9090',
    address: 'Corso Cavour 62, 70121 Bari BA',
    plan: 'Base',
    isActive: false,
  },
  {
    name: 'Farmacia Dolomiti',
    mailbox: 'dolomiti',
    phone: '+39 0461 235 600',
    address: 'Via Belenzani 15, 38122 Trento TN',
    plan: 'Premium',
    endsIn: 365,
  },
  {
    name: 'Farmacia La Rocca',
    mailbox: 'larocca',
    phone: '+39 070 651 203',
    address: 'Via Roma 99, 09124 Cagliari CA',
    plan: 'Base',
    own: { features: ['offers', 'analytics', 'whatsapp_integration'] },
  },
  {
    name: 'Farmacia Mediterranea',
    mailbox: 'mediterranea',
    phone: '+39 091 611 2020',
    address: 'Via Maqueda 210, 90133 Palermo PA',
    plan: 'Base',
    isInvited: true,
  },
  {
    name: 'Farmacia Longobarda',
    mailbox: 'longobarda',
    phone: '+39 0382 224 410',
    address: 'Strada Nuova 54, 27100 Pavia PV',
    plan: 'Base',
    offers: 12,
  },
  {
    name: 'Farmacia del Duomo',
    mailbox: 'duomo',
    phone: '+39 02 8646 1122',
    address: 'Via Torino 12, 20123 Milano MI',
    plan: 'Standard',
    isToBeMoved: true,
  },
]

const products = [
  ['Crema viso idratante 50 ml', 'Cosmetici', 1890, 1490],
  ['Multivitaminico, 30 compresse', 'Integratori', 1590, 1190],
  ['Dentifricio sensibile 75 ml', 'Igiene personale', 590, 450],
  ['Olio corpo bimbo 200 ml', 'Mamma e bambino', 990, 790],
] as const

export async function insertDemoPlans(tx: Database): Promise<DemoPlans> {
  const insert = (name: PlanName, description: string, price: number, grants: Grants) =>
    insertPlan(tx, createAudit(tx), { name, description, price, ...grants })
  return {
    Base: await insert('Base', 'Ordini e offerte', 29.9, {
      max_offers: 10,
      features: ['offers', 'whatsapp_integration'],
    }),
    Standard: await insert('Standard', 'Più offerte, con statistiche e ingresso Priority', 59.9, {
      max_offers: 50,
      features: ['offers', 'analytics', 'priority_access', 'whatsapp_integration'],
    }),
    Premium: await insert('Premium', 'Tutte le funzionalità, offerte senza limite', 99.9, {
      max_offers: null,
      features: [...Feature.options],
    }),
  }
}

type Grants = Pick<SubscriptionPlan, 'max_offers' | 'features'>

export async function insertDemoPharmacy(
  tx: Database,
  id: string,
  plan: SubscriptionPlan,
  { code, email, airtable, isActive, validUntil, own, ...shown }: DemoPharmacy,
): Promise<void> {
  const { max_offers = plan.max_offers, features = plan.features } = own ?? {}
  const fields = {
    ...shown,
    logo_url: null,
    subscription_plan_id: plan.id,
    plan_valid_until: validUntil ?? null,
    is_active: isActive ?? true,
    max_offers,
    features_enabled: features,
    airtable_base_id: airtable?.baseId ?? null,
    airtable_table_id: airtable?.tableId ?? null,
    use_supabase_orders: airtable === undefined,
  }
  const store = createAdminPharmaciesStore(tx, createAudit(tx))
  await store.insert(tx, { id, code, email }, fields, null)
}

/**
 * Inserts pharmacies in the states that administrators deal with. Their accounts have no password.
 *
 * @param toBeMoved the base with orders that are to be moved out of Airtable
 */
export async function seedDemoPharmacies(
  tx: Database,
  plans: DemoPlans,
  toBeMoved: SourceLocation,
): Promise<void> {
  const { users } = createAuthStore(tx)
  const today = dayOf(Date.now())
  for (const [index, neighbour] of neighbours.entries()) {
    const { mailbox, plan, endsIn, offers, copyFails, isInvited, isDeleted, isToBeMoved, ...rest } =
      neighbour
    const email = `${mailbox}@demo.bancone.it`
    const invited = isInvited === true
    const user = await users.insert({ email, passwordHash: null, confirmed: !invited, invited })
    if (!user) throw new Error(`the demo account ${email} is there already`)
    await insertDemoPharmacy(tx, user.id, plans[plan], {
      ...rest,
      ...(isToBeMoved && { airtable: toBeMoved }),
      email,
      code: `PHARM-${String(index + 3).padStart(4, '0')}`,
      ...(endsIn !== undefined && { validUntil: addDays(today, endsIn) }),
    })
    await addOffers(tx, user.id, offers ?? 0, today)
    if (copyFails && rest.airtable) {
      const copies = createOrderCopyStore(tx, noHooks)
      await copies.upsertCopy(user.id, rest.airtable)
      await copies.markFailed(user.id, rest.airtable, 'denied')
    }
    const yesterday = new Date(Date.now() - 24 * 60 * 60_000).toISOString()
    if (isDeleted) await hidePharmacy(tx, user.id, yesterday)
  }
}

async function addOffers(tx: Database, pharmacyId: string, count: number, today: Day) {
  const store = createOffersStore(tx)
  for (let n = 0; n < count; n += 1) {
    const product = products[n % products.length]
    if (!product) continue
    const [name, category, list, price] = product
    const draft = {
      Nome_Prodotto:
        n < products.length ? name : `${name} (${Math.floor(n / products.length) + 1})`,
      Descrizione: '',
      Categoria: category,
      Codice_Minsan: null,
      Prezzo_Listino: list,
      Prezzo_Offerta: price,
      Prezzo_Precedente: null,
      Data_Inizio: today,
      Data_Fine: null,
      Stato_Offerta: 'Attiva',
      URL_Immagine: PLACEHOLDER_IMAGE,
      CloudinaryID: null,
    } as const
    await store.insert(pharmacyId, randomUUID(), draft, pharmacyId)
  }
}
