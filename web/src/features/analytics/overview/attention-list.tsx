import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import { paths } from '@bancone/contract/pages'
import { CalendarX2, ChevronRight, CircleCheck, ImageOff } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Section, Unreadable } from '../section.tsx'

/** So many offers are listed at first. */
const FEW = 5

function Reason({ offer }: { offer: OfferFunnel }) {
  const seen = `vista ${formatNumber(offer.seen)} ${offer.seen === 1 ? 'volta' : 'volte'}`
  return offer.state === 'ended' ? (
    <>
      <CalendarX2 aria-hidden className="size-3.5 shrink-0" />
      Scaduta, {seen}: riproponila?
    </>
  ) : (
    <>
      <ImageOff aria-hidden className="size-3.5 shrink-0" />
      L'immagine non si vede più, {seen}
    </>
  )
}

/** The offers of the period that need something, the most seen first, with links to their forms. */
export function AttentionList({ traffic }: { traffic: Pick<Traffic, 'attention'> }) {
  const { attention: offers } = traffic
  const [isWhole, setWhole] = useState(false)
  if (offers === null) return <Unreadable title="Da sistemare" />
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
        {(isWhole ? offers : offers.slice(0, FEW)).map((offer) => (
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
      {offers.length > FEW ? (
        <Button
          look="link"
          size="bare"
          className="min-h-8 self-start pointer-coarse:min-h-11"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? 'Mostra meno offerte' : `Mostra tutte le ${offers.length} offerte`}
        </Button>
      ) : null}
    </Section>
  )
}
