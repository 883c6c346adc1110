import { rate } from '@bancone/contract/analytics-figures'
import { offerStateNames } from '@bancone/contract/analytics-tables'
import type { OfferFunnel, Traffic } from '@bancone/contract/analytics-traffic'
import { paths } from '@bancone/contract/pages'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { FunnelChart } from '../../../ui/charts/funnel-chart.tsx'
import { cn } from '../../../ui/class-names.ts'
import { Section, Unreadable } from '../section.tsx'
import { percentText } from '../texts/percent-texts.ts'
import { funnelSentence } from '../texts/traffic-sentences.ts'

/** From the views of the page to the orders, of all offers together. */
export function OffersFunnel({ funnel }: { funnel: Traffic['funnel'] }) {
  const { views, opened, whatsappTaps, ordered } = funnel
  return (
    <FunnelChart
      title="Dalla pagina all'ordine"
      summary={funnelSentence(funnel)}
      steps={[
        { name: 'Visualizzazioni della pagina', count: views },
        { name: 'Offerte aperte', count: opened },
        { name: 'Tocchi su WhatsApp', count: whatsappTaps },
        ...(ordered === null ? [] : [{ name: 'Ordini con il codice', count: ordered }]),
      ]}
    />
  )
}

type OfferFunnelsProps = {
  /** Null where they cannot be read. */
  offers: readonly OfferFunnel[] | null
  /** Links to the forms of the offers; not on paper. */
  hasLinks?: boolean
}

const cell = 'border-t border-line py-2 pl-3 text-right align-middle tabular-nums'
const head = 'pb-1 pl-3 text-right font-medium'

/** From the offers that were seen to those that were ordered, the most seen first. */
export function OfferFunnels({ offers, hasLinks = true }: OfferFunnelsProps) {
  if (offers === null) return <Unreadable title="Offerta per offerta" />
  const most = Math.max(1, ...offers.map(({ seen }) => seen))
  const hasCodes = offers.some(({ ordered }) => ordered !== null)
  if (offers.length === 0) {
    return (
      <Section title="Offerta per offerta">
        <p className="text-sm text-muted">In questo periodo non è stata vista nessuna offerta.</p>
      </Section>
    )
  }
  return (
    <Section
      title="Offerta per offerta"
      summary="Quante volte ogni offerta è stata vista, aperta, chiesta su WhatsApp e ordinata."
    >
      <div
        role="region"
        aria-label="Tabella delle offerte"
        // The focus lets the arrow keys scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as said above
        tabIndex={0}
        className="-mx-4 overflow-x-auto px-4 md:-mx-5 md:px-5 print:overflow-visible"
      >
        <table className="w-full text-left text-sm leading-snug">
          <caption className="sr-only">Offerta per offerta</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="pb-1 font-medium">
                Offerta
              </th>
              {['Viste', 'Aperte', 'WhatsApp', ...(hasCodes ? ['Ordini'] : [])].map((name) => (
                <th key={name} scope="col" className={head}>
                  {name}
                </th>
              ))}
              <th scope="col" className={cn(head, 'whitespace-nowrap')}>
                WhatsApp / viste
              </th>
            </tr>
          </thead>
          <tbody>
            {offers.map((offer) => (
              <tr key={offer.offerId}>
                <th
                  scope="row"
                  className="relative min-w-40 border-t border-line py-2.5 font-normal"
                >
                  <OfferName offer={offer} isLink={hasLinks && offer.state !== 'gone'} />
                  <span
                    aria-hidden
                    className="absolute bottom-0.5 left-0 h-1 rounded-full bg-(--c-chart-1) [print-color-adjust:exact]"
                    style={{ width: `${(offer.seen / most) * 100}%` }}
                  />
                </th>
                <td className={cell}>{formatNumber(offer.seen)}</td>
                <td className={cell}>{formatNumber(offer.opened)}</td>
                <td className={cell}>{formatNumber(offer.whatsappTaps)}</td>
                {hasCodes ? (
                  <td className={cell}>
                    {offer.ordered === null ? 'n/d' : formatNumber(offer.ordered)}
                  </td>
                ) : null}
                <td className={cn(cell, 'text-muted')}>
                  {percentText(rate(offer.whatsappTaps, offer.seen))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function OfferName({ offer, isLink }: { offer: OfferFunnel; isLink: boolean }) {
  const { name, state, lostPicture } = offer
  const notes = [
    state === 'active' ? null : offerStateNames[state],
    lostPicture ? 'Senza immagine' : null,
  ]
    .filter(Boolean)
    .join(' · ')
  const text = <span className="line-clamp-2 wrap-anywhere">{name ?? 'Offerta eliminata'}</span>
  return (
    <>
      {isLink ? (
        <Link
          to={`${paths.offers}?offerta=${offer.offerId}`}
          className="inline-block rounded-sm font-medium underline-offset-4 hover:underline"
        >
          {text}
        </Link>
      ) : (
        <span className="font-medium">{text}</span>
      )}
      {notes && name !== null ? <span className="block text-xs text-muted">{notes}</span> : null}
    </>
  )
}
