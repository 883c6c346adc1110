import type { OrderPickups } from '@bancone/contract/analytics'
import { rate } from '@bancone/contract/analytics-figures'
import { paths } from '@bancone/contract/pages'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { weekdays } from '../../../lib/hours.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { Figures, Section } from '../section.tsx'
import { pickupsSentence, shortWaitText } from '../texts/order-sentences.ts'
import { percentText } from '../texts/percent-texts.ts'

const wholePercent = (part: number, whole: number) => percentText(Math.round(rate(part, whole)))

const cell =
  'border-t border-line py-1.5 pl-2 text-right font-normal whitespace-nowrap tabular-nums'
const heading = 'pb-1 pl-2 text-right align-bottom font-medium'

/** How soon orders are ready and collected, and how many are not collected, by the weekday on which they were ready. */
export function PickupSection({ pickups, isOwner }: { pickups: OrderPickups; isOwner: boolean }) {
  const { ready, collected, notCollected, previous } = pickups
  const days = pickups.weekdays.map((day, n) => ({ ...day, name: weekdays[n] ?? '' }))
  return (
    <Section
      title="Ritiro degli ordini"
      summary={pickupsSentence(pickups)}
      action={
        pickups.hasBegun || !isOwner ? null : (
          <Link to={paths.pickup} className={buttonStyle({ size: 'small' })}>
            Impostazioni del ritiro
          </Link>
        )
      }
    >
      {ready === 0 ? null : (
        <>
          <Figures
            className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-5"
            figures={[
              [
                'Ordini pronti',
                formatNumber(ready),
                previous ? formatNumber(previous.ready) : undefined,
              ],
              [
                'Metà pronta entro',
                shortWaitText(pickups.readyMedian),
                previous ? shortWaitText(previous.readyMedian) : undefined,
              ],
              ['Metà ritirata entro', shortWaitText(pickups.collectedMedian)],
              [
                'Non ritirati',
                `${formatNumber(notCollected)} (${wholePercent(notCollected, ready)})`,
              ],
              ['Ancora in tempo', formatNumber(ready - collected - notCollected)],
            ]}
          />
          <table className="w-full text-sm sm:table-fixed">
            <caption className="sr-only">
              Ritiro degli ordini, per giorno della settimana in cui erano pronti
            </caption>
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="pb-1 text-left align-bottom font-medium">
                  Pronti di
                </th>
                {['Ordini', 'Metà pronta entro', 'Metà ritirata entro', 'Non ritirati'].map(
                  (name) => (
                    <th key={name} scope="col" className={heading}>
                      {name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody>
              {days.map((day) =>
                day.ready === 0 ? null : (
                  <tr key={day.name}>
                    <th scope="row" className="border-t border-line py-1.5 text-left font-normal">
                      <span aria-hidden className="sm:hidden">
                        {day.name.slice(0, 3)}
                      </span>
                      <span className="max-sm:sr-only">{day.name}</span>
                    </th>
                    <td className={cell}>{formatNumber(day.ready)}</td>
                    <td className={cell}>{shortWaitText(day.readyMedian)}</td>
                    <td className={cell}>{shortWaitText(day.collectedMedian)}</td>
                    <td className={cell}>{wholePercent(day.notCollected, day.ready)}</td>
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </>
      )}
    </Section>
  )
}
