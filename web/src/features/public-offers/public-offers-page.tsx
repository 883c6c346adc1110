import {
  effectiveSearch,
  filterAndSortOffers,
  NO_SEARCH,
  type PublicOffer,
  type PublicOffers,
  type PublicPharmacy,
} from '@bancone/contract/public-offers'
import { Info, PackageOpen, SearchX, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { BrandColors } from '../../ui/brand-colors.tsx'
import { ListBar, ListDialog } from './list-dialog.tsx'
import { OfferCard } from './offer-card.tsx'
import { OfferDialog } from './offer-dialog.tsx'
import { OfferFilters } from './offer-filters.tsx'
import { NO_PHONE } from './order-link.tsx'
import { goneText } from './order-list.ts'
import { focusOn, PAGE_TITLE_ID } from './page-focus.ts'
import { PageMessage } from './page-message.tsx'
import { openedOffer } from './page-texts.ts'
import { PharmacyDetails } from './pharmacy-details.tsx'
import { PublicFooter } from './public-footer.tsx'
import { PublicHeader } from './public-header.tsx'
import type { Shop } from './shop.ts'
import { secondary, square } from './styles.ts'
import { useHydrated } from './use-hydrated.ts'
import { isPlainClick } from './use-page-location.ts'

type OffersPageProps = { content: PublicOffers; shop: Shop }

function countText(count: number): string {
  return count === 1 ? '1 prodotto' : `${count} prodotti`
}

/** The offers of a pharmacy. */
export function OffersPage({ content, shop }: OffersPageProps) {
  const { navigation, list, pharmacy, tracker } = shop
  const search = effectiveSearch(content, navigation.search)
  const sought = filterAndSortOffers(content, search)
  const opened = openedOffer(content, navigation.offerId)
  const { profile } = pharmacy
  return (
    <div className="flex min-h-dvh flex-col">
      {profile?.palette ? <BrandColors palette={profile.palette} /> : null}
      <PublicHeader pharmacy={pharmacy} day={content.day} tracker={tracker} />
      <main className="mx-auto flex w-full max-w-5xl flex-1 flex-col gap-4 px-3 py-5 md:gap-5 md:px-6 md:py-8">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h1
            id={PAGE_TITLE_ID}
            tabIndex={-1}
            className="text-2xl leading-tight font-medium tracking-tight outline-none md:text-3xl"
          >
            Offerte Speciali
          </h1>
          <p role="status" className="text-sm text-muted tabular-nums">
            {content.offers.length > 0 ? countText(sought.length) : null}
          </p>
        </div>
        <PageNotices goneOffer={navigation.offerId !== null && !opened} shop={shop} />
        <NoPhone pharmacy={pharmacy} />
        {content.offers.length > 0 ? (
          <OfferFilters
            content={content}
            search={search}
            action={navigation.address(NO_SEARCH)}
            onSearch={navigation.setSearch}
          />
        ) : (
          <PageMessage
            icon={<PackageOpen />}
            title="Nessuna offerta disponibile"
            text="Al momento non ci sono offerte attive per questa farmacia."
          />
        )}
        {sought.length > 0 ? <OfferGrid offers={sought} shop={shop} /> : null}
        {content.offers.length > 0 && sought.length === 0 ? (
          <NothingFound navigation={navigation} />
        ) : null}
        {profile ? (
          <PharmacyDetails pharmacy={pharmacy} profile={profile} day={content.day} />
        ) : null}
      </main>
      <PublicFooter code={pharmacy.pharmacy_id} />
      {list.lines.length > 0 ? <ListBar shop={shop} /> : null}
      {opened ? <OfferDialog key={opened.id} offer={opened} shop={shop} /> : null}
      {navigation.list ? <ListDialog shop={shop} /> : null}
    </div>
  )
}

/** Shown because ordering is not possible. */
function NoPhone({ pharmacy }: { pharmacy: PublicPharmacy }) {
  if (pharmacy.whatsAppNumber !== null) return null
  return <p className="without-script text-muted">{NO_PHONE}</p>
}

function NothingFound({ navigation }: Pick<Shop, 'navigation'>) {
  return (
    <PageMessage
      icon={<SearchX />}
      title="Nessun prodotto trovato con i filtri selezionati."
      action={
        <a
          href={navigation.address(NO_SEARCH)}
          className={secondary}
          onClick={(event) => {
            if (!isPlainClick(event)) return
            event.preventDefault()
            navigation.setSearch(NO_SEARCH)
            // The link disappears with its notice.
            focusOn(PAGE_TITLE_ID)
          }}
        >
          Azzera i filtri
        </a>
      }
    />
  )
}

/** Cards that are visible without scrolling on most screens. */
const FIRST = 4

function OfferGrid({ offers, shop }: { offers: readonly PublicOffer[]; shop: Shop }) {
  return (
    // Two columns, or three: fewer where the text is so large that a price would not fit.
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.75rem,40%)),1fr))] gap-2.5 md:gap-4 lg:grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.75rem,30%)),1fr))] print:grid-cols-3">
      {offers.map((offer, index) => (
        <li
          key={offer.id}
          ref={shop.tracker.watch}
          data-offer={offer.id}
          className="min-w-0 print:break-inside-avoid"
        >
          {/* Below a dialog opened by its URL, no picture is urgent. */}
          <OfferCard
            offer={offer}
            shop={shop}
            eager={index < FIRST && shop.navigation.offerId === null}
          />
        </li>
      ))}
    </ul>
  )
}

type NoticeProps = { children: ReactNode; onClose?: () => void }

function Notice({ children, onClose }: NoticeProps) {
  return (
    <div
      role="status"
      className="flex min-h-12 items-center gap-3 rounded-card border border-pending-line bg-pending-soft py-0.5 pr-1 pl-3.5 text-pending"
    >
      <Info aria-hidden className="size-5 shrink-0" />
      <p className="min-w-0 flex-1 py-2 leading-snug text-pretty break-words">{children}</p>
      {onClose ? (
        <button
          type="button"
          aria-label="Chiudi l'avviso"
          className={square}
          onClick={() => {
            onClose()
            focusOn(PAGE_TITLE_ID)
          }}
        >
          <X aria-hidden />
        </button>
      ) : null}
    </div>
  )
}

function GoneOffer() {
  const place = useRef<HTMLDivElement>(null)
  const alive = useHydrated()
  const [cameLater] = useState(alive)

  // The offer's dialog was open and had the focus, wherever the page is scrolled to.
  useEffect(() => {
    if (!cameLater) return
    place.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) focusOn(PAGE_TITLE_ID)
  }, [cameLater])

  return (
    <div ref={place} className="scroll-mt-4">
      <Notice>Questa offerta non è più disponibile</Notice>
    </div>
  )
}

/** Notices about offers that are gone: the opened one, and items of the list. */
function PageNotices({ goneOffer, shop }: { goneOffer: boolean; shop: Shop }) {
  const { gone, clearGone } = shop.list
  return (
    <>
      {goneOffer ? <GoneOffer /> : null}
      {gone.length > 0 ? <Notice onClose={clearGone}>{goneText(gone)}</Notice> : null}
    </>
  )
}
