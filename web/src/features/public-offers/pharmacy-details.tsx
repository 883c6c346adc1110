import { addDays, type Day } from '@bancone/contract/dates'
import type { OpeningSpan, OpeningWeek } from '@bancone/contract/opening-hours'
import { closingOn, spansOf } from '@bancone/contract/opening-state'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import type { PublicPharmacy } from '@bancone/contract/public-offers'
import { MapPin } from 'lucide-react'
import { weekdays } from '../../lib/hours.ts'
import { webLink } from '../../lib/links.ts'
import { closingText, spanText } from '../../lib/opening-text.ts'
import { cn } from '../../ui/class-names.ts'
import { secondary } from './styles.ts'

/** The id of the section, for links to it. */
export const PHARMACY_ID = 'farmacia'

const heading = 'text-sm font-medium text-muted'

/** 5 January 1970 was a Monday. */
const MONDAY = '1970-01-05'

type PharmacyDetailsProps = {
  pharmacy: PublicPharmacy
  profile: PublicProfile
  /** The day that the page was rendered for. */
  day: Day
}

/** What a pharmacy shows of itself: its text, the way to it, and its hours. */
export function PharmacyDetails({ pharmacy, profile, day }: PharmacyDetailsProps) {
  const { openingWeek, closings, description } = profile
  const map = webLink(profile.mapUrl)
  if (!openingWeek && closings.length === 0 && !description && !map) return null
  return (
    <section
      id={PHARMACY_ID}
      aria-labelledby={`${PHARMACY_ID}-title`}
      className="mt-6 grid scroll-mt-4 gap-x-10 gap-y-6 rounded-card border border-line bg-surface px-4 py-5 md:grid-cols-2 md:px-6"
    >
      <div className="flex min-w-0 flex-col items-start gap-3">
        <h2 id={`${PHARMACY_ID}-title`} className="text-xl leading-tight font-medium break-words">
          {pharmacy.name}
        </h2>
        {description ? (
          <p className="max-w-prose text-pretty break-words whitespace-pre-line">{description}</p>
        ) : null}
        {pharmacy.address ? <p className="break-words text-muted">{pharmacy.address}</p> : null}
        {map ? (
          <a href={map} target="_blank" rel="noopener noreferrer" className={cn(secondary, 'px-4')}>
            <MapPin aria-hidden />
            Come arrivare
          </a>
        ) : null}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        {openingWeek ? <Week week={openingWeek} closings={closings} day={day} /> : null}
        {closings.length > 0 ? (
          <div>
            <h3 className={heading}>Chiusure</h3>
            <ul className="mt-1 flex flex-col gap-1">
              {closings.map((closing) => (
                <li key={`${closing.from} ${closing.to}`} className="break-words">
                  {closingText(closing)}
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </div>
    </section>
  )
}

type WeekProps = { week: OpeningWeek; closings: PublicProfile['closings']; day: Day }

function Week({ week, closings, day }: WeekProps) {
  const today = (new Date(day).getUTCDay() + 6) % 7
  return (
    <div>
      <h3 className={heading}>Orari di apertura</h3>
      <dl className="mt-1 flex flex-col">
        {weekdays.map((name, index) => (
          <div
            key={name}
            aria-current={index === today ? 'date' : undefined}
            className="flex justify-between gap-4 border-b border-line py-1.5 last:border-b-0 aria-[current=date]:font-medium"
          >
            <dt>{name}</dt>
            <dd className="flex flex-wrap justify-end gap-x-3 tabular-nums">
              {index === today && closingOn(closings, day) ? (
                'Chiuso oggi'
              ) : (
                <Spans spans={spansOf(week, addDays(MONDAY, index))} />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** A time is not broken at the end of a line. */
function Spans({ spans }: { spans: readonly OpeningSpan[] }) {
  if (spans.length === 0) return 'Chiuso'
  return spans.map((span) => <span key={span.from}>{spanText(span)}</span>)
}
