import { randomUUID } from 'node:crypto'
import { type Day, dayOf } from '@bancone/contract/dates'
import type { ErrorCode } from '@bancone/contract/errors'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { periodError, priceError, productError } from '@bancone/contract/offer-rules'
import {
  MAX_OFFERS,
  type OfferChange,
  type OfferInput,
  type OfferRecord,
  PLACEHOLDER_IMAGE,
  type PriceCheck,
} from '@bancone/contract/offers'
import type { Category } from '@bancone/contract/product-categories'
import { AppError } from '../../base/app-error.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import type { Audit, AuditedChange } from '../../platform/audit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredOffer } from './offer-rows.ts'
import {
  changedDraft,
  countsTowardsLimit,
  isSamePicture,
  newDraft,
  type OfferDraft,
} from './offers.rules.ts'
import type { OffersStore, OfferUsage } from './offers.store.ts'
import type { PriceDraft, PriceHistory } from './prices/price-history.ts'

/** Marks pictures as in use; see the images store. */
export type PictureUses = {
  /** @returns the picture's URL; undefined when neither the pharmacy nor the archive has the picture */
  hold(pharmacyId: string, publicId: string, holder: string): Promise<string | undefined>
  release(holder: string, except?: string): Promise<void>
}

/** Writes of one transaction, and reads that follow them. */
export type OfferWriting = {
  offers: OffersStore
  pictures: PictureUses
  prices: Pick<PriceHistory, 'priors' | 'raisedFrom'>
  audit: Pick<Audit, 'record'>
  recordChange(change: AuditedChange): Promise<void>
}

type Dependencies = {
  store: OffersStore
  /** Runs in one transaction; serialized per pharmacy. */
  write<T>(pharmacyId: string, work: (writing: OfferWriting) => Promise<T>): Promise<T>
  prices: PriceHistory
  categories(): Promise<Category[]>
  /** Whether the URL is one of the provider of product pictures. */
  isProviderPicture(url: string): boolean
  clock: Clock
}

type Caller = { userId: string; pharmacy: { id: string } }

/** The offers of a pharmacy. */
export function createOffers(dependencies: Dependencies) {
  const { store, write, prices, categories, isProviderPicture, clock } = dependencies

  const today = (): Day => dayOf(clock.now())

  /** Read before the transaction: within it, it would wait for a second connection. */
  async function checker() {
    const known = await categories()
    return (draft: OfferDraft, stored?: StoredOffer) => {
      refuse(priceError(draft) ?? periodError(draft, stored?.fields.Data_Fine, today()))
      const category = known.find(({ name }) => name === draft.Categoria)
      refuse(productError(draft, stored?.fields, category?.regulatoryClass))
    }
  }

  /** Marks the offer's new picture as in use and releases its earlier ones. */
  async function show(
    pictures: PictureUses,
    pharmacyId: string,
    offerId: string,
    draft: OfferDraft,
  ): Promise<OfferDraft> {
    const { CloudinaryID: publicId, URL_Immagine: url } = draft
    const holder = `offer:${offerId}`
    if (publicId === null) {
      if (url !== PLACEHOLDER_IMAGE && !isProviderPicture(url)) refuse('offers.image_missing')
      await pictures.release(holder)
      return draft
    }
    const ours = await pictures.hold(pharmacyId, publicId, holder)
    if (ours === undefined) throw new AppError('offers.image_missing')
    await pictures.release(holder, publicId)
    return { ...draft, URL_Immagine: ours }
  }

  /** The offer after the write, with its prior price, which depends on the write. */
  async function record(
    { offers, prices: history }: OfferWriting,
    pharmacyId: string,
    offerId: string,
  ): Promise<OfferRecord> {
    const offer = await offers.find(pharmacyId, offerId)
    if (!offer) throw new AppError('offers.not_found')
    return withPrior(offer, await history.priors(pharmacyId, [offer], today()))
  }

  /** Called before the write: afterwards the new price is part of the history. */
  async function recordRaise(
    { prices: history, audit }: OfferWriting,
    { userId, pharmacy }: Caller,
    offerId: string,
    draft: OfferDraft,
  ): Promise<void> {
    const from = await history.raisedFrom(pharmacy.id, offerId, draft)
    if (from === null) return
    await audit.record({
      action: 'list_price_raised',
      userId: pharmacy.id,
      actorId: userId,
      details: { offerId, code: draft.Codice_Minsan, from, to: draft.Prezzo_Listino },
    })
  }

  return {
    async list(pharmacyId: string) {
      const day = today()
      const offers = await store.list(pharmacyId)
      const { active, most } = await store.usage(pharmacyId, day)
      const priors = await prices.priors(pharmacyId, offers, day)
      return {
        offers: offers.map((offer) => withPrior(offer, priors)),
        limit: { active, most },
        today: day,
      }
    },

    /** @param offerId chosen by the client: a repeated request creates one offer */
    async create(
      { userId, pharmacy }: Caller,
      written: OfferInput,
      offerId: string = randomUUID(),
    ): Promise<OfferRecord> {
      const draft = newDraft(written, today())
      const check = await checker()
      check(draft)
      return write(pharmacy.id, async (writing) => {
        const { offers, pictures } = writing
        if (await offers.find(pharmacy.id, offerId)) return record(writing, pharmacy.id, offerId)
        const room = await offers.usage(pharmacy.id, today())
        if (room.all >= MAX_OFFERS) throw new AppError('offers.too_many')
        if (countsTowardsLimit(draft, today())) refuseBeyond(room)
        const shown = await show(pictures, pharmacy.id, offerId, draft)
        await recordRaise(writing, { userId, pharmacy }, offerId, draft)
        await offers.insert(pharmacy.id, offerId, shown, userId)
        const change = { action: 'offer_created', after: shown } as const
        await writing.recordChange({ ...change, ...concerning(pharmacy.id, offerId) })
        const made = await record(writing, pharmacy.id, offerId)
        refuseOther(made, written)
        return publishable(made)
      })
        .catch(ofAnother)
        .catch(unknownCategory)
    },

    /** @param seen the `updatedTime` that the client has; the change is refused when the offer has another */
    async change(
      { userId, pharmacy }: Caller,
      offerId: string,
      change: OfferChange,
      seen?: string,
    ): Promise<OfferRecord> {
      const check = await checker()
      return write(pharmacy.id, async (writing) => {
        const { offers, pictures } = writing
        const stored = await offers.find(pharmacy.id, offerId)
        if (!stored) throw new AppError('offers.not_found')
        refuseOther(stored, change)
        if (seen !== undefined && seen !== stored.updatedTime) refuse('offers.changed_meanwhile')
        const before = changedDraft(stored.fields, {})
        const draft = changedDraft(stored.fields, change)
        check(draft, stored)
        if (countsTowardsLimit(draft, today()) && !countsTowardsLimit(before, today())) {
          refuseBeyond(await offers.usage(pharmacy.id, today()))
        }
        const shown = isSamePicture(draft, before)
          ? { ...draft, URL_Immagine: before.URL_Immagine }
          : await show(pictures, pharmacy.id, offerId, draft)
        await recordRaise(writing, { userId, pharmacy }, offerId, draft)
        await offers.update(pharmacy.id, stored, shown, userId)
        const changed = { action: 'offer_changed', before, after: shown } as const
        await writing.recordChange({ ...changed, ...concerning(pharmacy.id, offerId) })
        return publishable(await record(writing, pharmacy.id, offerId))
      }).catch(unknownCategory)
    },

    async remove(pharmacyId: string, offerId: string): Promise<void> {
      // Serialized: a change of the offer's picture locks the same rows in the opposite order.
      await write(pharmacyId, async ({ offers, recordChange }) => {
        const stored = await offers.find(pharmacyId, offerId)
        if (!stored) throw new AppError('offers.not_found')
        await offers.remove(pharmacyId, offerId)
        const before = changedDraft(stored.fields, {})
        await recordChange({
          action: 'offer_removed',
          before,
          ...concerning(pharmacyId, offerId),
        })
      })
    },

    async arrange(pharmacyId: string, offerIds: readonly string[]): Promise<void> {
      await write(pharmacyId, async ({ offers, recordChange }) => {
        await offers.arrange(pharmacyId, [...new Set(offerIds)])
        const target = { type: 'pharmacy', id: pharmacyId }
        const details = { offers: offerIds.length }
        await recordChange({ action: 'offers_arranged', pharmacyId, target, details })
      })
    },

    async checkPrice(pharmacyId: string, draft: PriceDraft): Promise<PriceCheck> {
      const { offerId, fields } = draft
      const stored = offerId === null ? undefined : await store.find(pharmacyId, offerId)
      const period = {
        Data_Inizio: fields.Data_Inizio ?? today(),
        Data_Fine: fields.Data_Fine ?? null,
      }
      refuse(priceError(fields) ?? periodError(period, stored?.fields.Data_Fine, today()))
      return prices.check(pharmacyId, draft, today())
    },
  }
}

function withPrior(
  offer: StoredOffer,
  priors: ReadonlyMap<string, PriorPrice | null>,
): OfferRecord {
  return { ...offer, prior: priors.get(offer.id) ?? null }
}

/** Undoes the write of an active offer that must not be published. It may be stored as inactive. */
function publishable(offer: OfferRecord): OfferRecord {
  if (offer.refusal !== null && offer.fields.Stato_Offerta === 'Attiva') refuse(offer.refusal)
  return offer
}

function refuse(fault: ErrorCode | undefined): void {
  if (fault !== undefined) throw new AppError(fault)
}

const concerning = (pharmacyId: string, offerId: string) => ({
  pharmacyId,
  target: { type: 'offer', id: offerId },
})

/** Clients may send the record as they read it, with the code of the pharmacy, but not another pharmacy's. */
function refuseOther({ fields }: StoredOffer, { Farmacia_ID: code }: OfferChange): void {
  if (code !== undefined && code !== fields.Farmacia_ID) throw new AppError('access.denied')
}

/** The id exists, but belongs to another pharmacy. */
const ofAnother = rethrowViolationAs('offers.not_found', 'product_offers_pkey')

/** The category existed when it was checked. */
const unknownCategory = rethrowViolationAs(
  'offers.unknown_category',
  'product_offers__category_known',
)

function refuseBeyond({ active, most }: OfferUsage): void {
  if (most === null || active < most) return
  const text = `Hai raggiunto il numero massimo di offerte attive (${most}): disattivane una, o salva questa come inattiva.`
  const details = { key: 'max_offers', limit: most, used: active }
  throw new AppError('offers.limit_reached', { text, details })
}
