import { randomUUID } from 'node:crypto'
import { type Day, dayOf } from '@bancone/contract/dates'
import type { ErrorCode } from '@bancone/contract/errors'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import {
  MOST_OFFERS,
  type OfferChange,
  type OfferRecord,
  PLACEHOLDER_IMAGE,
  type WrittenOffer,
} from '@bancone/contract/offers'
import type { Category } from '@bancone/contract/product-categories'
import { AppError } from '../../app-error.ts'
import { violates } from '../../database/errors.ts'
import type { Clock } from '../../ports/clock.ts'
import type { StoredOffer } from './offer-rows.ts'
import {
  changedDraft,
  faultOfProduct,
  faultOfTerms,
  isCounted,
  isSamePicture,
  newDraft,
  type OfferDraft,
} from './offers.rules.ts'
import type { OfferRoom, OffersStore } from './offers.store.ts'
import type { PriceDraft, PriceHistory } from './prices/price-history.ts'

/** Pictures that are shown: see the store of the images. */
export type PictureUses = {
  /** @returns where it is; undefined when the pharmacy has no such picture, nor the archive */
  hold(pharmacyId: string, publicId: string, holder: string): Promise<string | undefined>
  release(holder: string, except?: string): Promise<void>
}

/** What one transaction writes, and reads after it. */
export type OfferWriting = {
  offers: OffersStore
  pictures: PictureUses
  prices: Pick<PriceHistory, 'priors'>
}

type Dependencies = {
  store: OffersStore
  /** In one transaction, one after the other for a pharmacy. */
  write<T>(pharmacyId: string, work: (writing: OfferWriting) => Promise<T>): Promise<T>
  prices: PriceHistory
  categories(): Promise<Category[]>
  /** Whether a picture is at that address of the provider of products' pictures. */
  isProviderPicture(url: string): boolean
  clock: Clock
}

type Caller = { userId: string; pharmacy: { id: string } }

export type OffersService = ReturnType<typeof createOffers>

/** What a pharmacy makes of its products. */
export function createOffers(dependencies: Dependencies) {
  const { store, write, prices, categories, isProviderPicture, clock } = dependencies

  const today = (): Day => dayOf(clock.now())

  /** Read before the transaction: within it, it would wait for a second connection. */
  async function checker() {
    const known = await categories()
    return (draft: OfferDraft, stored?: StoredOffer) => {
      refuse(faultOfTerms(draft, stored?.fields, today()))
      const category = known.find(({ name }) => name === draft.Categoria)
      refuse(faultOfProduct(draft, stored?.fields, category?.regulatoryClass))
    }
  }

  /** The picture that the offer shows from now on; those it showed before are let go. */
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

  /** As it has been written, with the lowest price before, which depends on it. */
  async function record(
    { offers, prices: history }: OfferWriting,
    pharmacyId: string,
    offerId: string,
  ): Promise<OfferRecord> {
    const offer = await offers.find(pharmacyId, offerId)
    if (!offer) throw new AppError('offers.not_found')
    return withPrior(offer, await history.priors(pharmacyId, [offer], today()))
  }

  return {
    async list(pharmacyId: string) {
      const day = today()
      const offers = await store.list(pharmacyId)
      const { active, most } = await store.room(pharmacyId, day)
      const priors = await prices.priors(pharmacyId, offers, day)
      return {
        offers: offers.map((offer) => withPrior(offer, priors)),
        limit: { active, most },
        today: day,
      }
    },

    /** @param offerId the caller's own: sent again with the same, there is one offer all the same */
    async create(
      { userId, pharmacy }: Caller,
      written: WrittenOffer,
      offerId: string = randomUUID(),
    ): Promise<OfferRecord> {
      const draft = newDraft(written, today())
      const check = await checker()
      check(draft)
      return write(pharmacy.id, async (writing) => {
        const { offers, pictures } = writing
        if (await offers.find(pharmacy.id, offerId)) return record(writing, pharmacy.id, offerId)
        const room = await offers.room(pharmacy.id, today())
        if (room.all >= MOST_OFFERS) throw new AppError('offers.too_many')
        if (isCounted(draft, today())) refuseBeyond(room)
        const shown = await show(pictures, pharmacy.id, offerId, draft)
        await offers.insert(pharmacy.id, offerId, shown, userId)
        return record(writing, pharmacy.id, offerId)
      })
        .catch(ofAnother)
        .catch(unknownCategory)
    },

    /** @param seen the `updatedTime` that the caller has seen: refused if it is another */
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
        if (seen !== undefined && seen !== stored.updatedTime) refuse('offers.changed_meanwhile')
        const before = changedDraft(stored.fields, {})
        const draft = changedDraft(stored.fields, change)
        check(draft, stored)
        if (isCounted(draft, today()) && !isCounted(before, today())) {
          refuseBeyond(await offers.room(pharmacy.id, today()))
        }
        const shown = isSamePicture(draft, before)
          ? { ...draft, URL_Immagine: before.URL_Immagine }
          : await show(pictures, pharmacy.id, offerId, draft)
        await offers.update(pharmacy.id, stored, shown, userId)
        return record(writing, pharmacy.id, offerId)
      }).catch(unknownCategory)
    },

    async remove(pharmacyId: string, offerId: string): Promise<void> {
      // In turn: whoever changes the offer's picture takes the same rows the other way round.
      const isDone = await write(pharmacyId, ({ offers }) => offers.remove(pharmacyId, offerId))
      if (!isDone) throw new AppError('offers.not_found')
    },

    async arrange(pharmacyId: string, offerIds: readonly string[]): Promise<void> {
      const isDone = await write(pharmacyId, ({ offers }) =>
        offers.arrange(pharmacyId, [...new Set(offerIds)]),
      )
      if (!isDone) throw new AppError('offers.not_found')
    },

    async checkPrice(pharmacyId: string, draft: PriceDraft): Promise<PriorPrice | null> {
      const { offerId, fields } = draft
      const stored = offerId === null ? undefined : await store.find(pharmacyId, offerId)
      const terms = {
        ...fields,
        Data_Inizio: fields.Data_Inizio ?? today(),
        Data_Fine: fields.Data_Fine ?? null,
      }
      refuse(faultOfTerms(terms, stored?.fields, today()))
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

function refuse(fault: ErrorCode | undefined): void {
  if (fault !== undefined) throw new AppError(fault)
}

/** There is an offer of that id, and it is nothing to this pharmacy. */
function ofAnother(error: unknown): never {
  if (!violates(error, 'product_offers_pkey')) throw error
  throw new AppError('offers.not_found', { cause: error })
}

/** It was there a moment ago. */
function unknownCategory(error: unknown): never {
  if (!violates(error, 'product_offers__category_known')) throw error
  throw new AppError('offers.unknown_category', { cause: error })
}

function refuseBeyond({ active, most }: OfferRoom): void {
  if (active < most) return
  const text = `Hai raggiunto il numero massimo di offerte attive (${most}): disattivane una, o salva questa come inattiva.`
  throw new AppError('offers.limit_reached', { text })
}
