import type { SourceOrder, SourcePage } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'
import { NAMES_NOBODY, ownership, type Sharer } from './order-owner.rules.ts'
import type { OrderSetAsideStore } from './order-set-aside.store.ts'

type Dependencies = {
  store: OrderCopyStore
  aside: OrderSetAsideStore
  log: { warn(details: object, message: string): void }
}

/** What is true of all pages of one reading. */
export type Intake = {
  pharmacyId: string
  sharers: readonly Sharer[]
  readAt: string
  arriving: boolean
  /** Of what was made before, none is new to the pharmacy. */
  madeSince: string | undefined
  /** Records of this pharmacy are set aside, which may be understood now. */
  hasAside: boolean
}

/** Takes a page of what was read in: what is the pharmacy's own is copied, what is not understood told. */
export function createOrderIntake({ store, aside, log }: Dependencies) {
  /** What has no id to be kept under is told once a process. */
  const told = new Set<string>()

  async function setAside(
    { pharmacyId, hasAside }: Intake,
    page: SourcePage,
    { foreign, lost }: { foreign: string[]; lost: string[] },
  ): Promise<void> {
    const broken = new Map<string, string>(lost.map((recordId) => [recordId, NAMES_NOBODY]))
    const nameless = new Set<string>()
    for (const { recordId, reason } of page.unreadable) {
      if (recordId === null) nameless.add(reason)
      else if (!foreign.includes(recordId)) broken.set(recordId, reason)
    }
    const records = [...broken].map(([recordId, reason]) => ({ recordId, reason }))
    const news: object[] = records.length > 0 ? await aside.put(pharmacyId, records) : []
    for (const reason of nameless) {
      if (told.has(`${pharmacyId} ${reason}`)) continue
      told.add(`${pharmacyId} ${reason}`)
      news.push({ recordId: null, reason })
    }
    if (news.length > 0) {
      log.warn({ pharmacyId, unreadable: news }, 'some orders could not be understood')
    }
    const well = page.orders.map((order) => order.recordId).filter((id) => !broken.has(id))
    if (hasAside && well.length > 0) await aside.takeBack(pharmacyId, well)
  }

  /** @returns how many orders were new or different */
  return async (intake: Intake, page: SourcePage): Promise<number> => {
    const { pharmacyId, readAt, arriving, madeSince } = intake
    const { own, foreign, nobody } = sortOut(intake, page.orders)
    // An order that was its own when it came stays so until it names another pharmacy.
    const kept = nobody.length > 0 ? await store.copied(pharmacyId, idsOf(nobody)) : new Set()
    const orders = [...own, ...nobody.filter(({ recordId }) => kept.has(recordId))]
    const lost = idsOf(nobody).filter((recordId) => !kept.has(recordId))
    const changed = await store.saveOrders(pharmacyId, orders, readAt, { arriving, madeSince })
    // And then it is not for it to see any more.
    if (foreign.length > 0) await store.removeOrders(pharmacyId, foreign, 'infinity')
    await setAside(intake, page, { foreign, lost })
    return changed
  }
}

function sortOut({ pharmacyId, sharers }: Intake, orders: SourceOrder[]) {
  const own: SourceOrder[] = []
  const nobody: SourceOrder[] = []
  const foreign: string[] = []
  for (const order of orders) {
    const whose = ownership(order.pharmaWa, pharmacyId, sharers)
    if (whose === 'own') own.push(order)
    else if (whose === 'nobody') nobody.push(order)
    else foreign.push(order.recordId)
  }
  return { own, nobody, foreign }
}

const idsOf = (orders: SourceOrder[]) => orders.map((order) => order.recordId)
