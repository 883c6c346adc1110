import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import { paths } from '@bancone/contract/pages'
import { CalendarX2, ChevronRight, CircleCheck, ImageOff } from 'lucide-react'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { Section } from '../section.tsx'

const MAX_LISTED = 5

/** Offers that customers looked at and that ended, or lost their picture. */
function needing({ offers }: Pick<Traffic, 'offers'>): OfferFunnel[] {
  return offers.filter(
    ({ state, lostPicture }) => state === 'ended' || (lostPicture && state !== 'gone'),
  )
}

function Reason({ offer }: { offer: OfferFunnel }) {
  const seen = `vista ${formatNumber(offer.seen)} ${offer.seen === 1 ? 'volta' : 'volte'}`
  return offer.state === 'ended' ? (
    <>
      <CalendarX2 aria-hidden className="size-3.5 shrink-0" />
      Finita, {seen}: riproponila?
    </>
  ) : (
    <>
      <ImageOff aria-hidden className="size-3.5 shrink-0" />
      L'immagine non si vede più, {seen}
    </>
  )
}

/** The offers of the period that need something, the most seen first, with links to their forms. */
export function AttentionList({ traffic }: { traffic: Pick<Traffic, 'offers'> }) {
  const offers = needing(traffic)
  const more = offers.length - MAX_LISTED
  if (offers.length === 0) {
    return (
      <Section title="Da sistemare">
        <p className="flex items-center gap-2 text-sm text-muted">
          <CircleCheck aria-hidden className="size-4 shrink-0 text-confirmed" />
          Niente: le offerte viste in questo periodo sono in ordine.
        </p>
      </Section>
    )
  }
  return (
    <Section title="Da sistemare">
      <ul className="-mx-2 -mb-2 flex flex-col">
        {offers.slice(0, MAX_LISTED).map((offer) => (
          <li key={offer.offerId}>
            <Link
              to={`${paths.offers}?offerta=${offer.offerId}`}
              className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 transition-colors hover:bg-sunken"
            >
              <span className="min-w-0 flex-1">
                <span className="line-clamp-2 text-sm font-medium wrap-anywhere">
                  {offer.name ?? 'Offerta eliminata'}
                </span>
                <span className="flex items-center gap-1.5 text-sm text-pending">
                  <Reason offer={offer} />
                </span>
              </span>
              <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <p className="text-sm text-muted">
          {more === 1 ? "E un'altra offerta" : `E altre ${more} offerte`} nella scheda Traffico.
        </p>
      ) : null}
    </Section>
  )
}
