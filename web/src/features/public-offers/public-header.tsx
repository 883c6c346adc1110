import type { Day } from '@bancone/contract/dates'
import { variantUrl } from '@bancone/contract/image-variants'
import type { OpeningWeek } from '@bancone/contract/opening-hours'
import { closingOn, openingState, spansOf } from '@bancone/contract/opening-state'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import type { PublicPharmacy } from '@bancone/contract/public-offers'
import { ChevronDown, Clock, Phone } from 'lucide-react'
import { webLink } from '../../lib/links.ts'
import { openingText, spansText } from '../../lib/opening-text.ts'
import { useNow } from '../../lib/use-now.ts'
import { initials } from '../../ui/avatar.tsx'
import { cn } from '../../ui/class-names.ts'
import { PHARMACY_ID } from './pharmacy-details.tsx'
import type { Shop } from './shop.ts'
import { secondary } from './styles.ts'
import { useHydrated } from './use-hydrated.ts'

type PublicHeaderProps = { pharmacy: PublicPharmacy; day: Day; tracker: Shop['tracker'] }

/** Name and contacts of the pharmacy, and whether it is open. */
export function PublicHeader({ pharmacy, day, tracker }: PublicHeaderProps) {
  const { name, address, profile } = pharmacy
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-5xl flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5 md:px-6 md:py-3.5">
        <Logo pharmacy={pharmacy} />
        {/* With large text the button wraps below, so that the name is not cut. */}
        <div className="min-w-[5.5rem] flex-1">
          <p className="line-clamp-2 leading-tight font-medium break-words">{name}</p>
          {address === null ? null : (
            <p className="truncate text-sm text-muted max-sm:hidden">{address}</p>
          )}
        </div>
        <Call pharmacy={pharmacy} tracker={tracker} />
      </div>
      {profile?.openingWeek ? (
        <OpeningLine week={profile.openingWeek} closings={profile.closings} day={day} />
      ) : null}
    </header>
  )
}

function Logo({ pharmacy: { name, logoUrl } }: { pharmacy: PublicPharmacy }) {
  const logo = webLink(logoUrl)
  const place = 'size-12 shrink-0 rounded-control'
  if (logo === null) {
    return (
      <span
        aria-hidden
        className={cn(
          place,
          'grid place-items-center bg-accent-soft text-[17px] font-medium text-accent',
        )}
      >
        {initials(name)}
      </span>
    )
  }
  const once = variantUrl(logo, 'thumbnail')
  return (
    <img
      src={once}
      {...(once === logo ? {} : { srcSet: `${once} 1x, ${variantUrl(logo, 'thumbnail-2x')} 2x` })}
      alt=""
      width={48}
      height={48}
      decoding="async"
      className={cn(place, 'bg-paper object-contain')}
    />
  )
}

/** Text that is no phone number is shown without a link, and so is every number on paper. */
function Call({ pharmacy: { name, phone, callNumber }, tracker }: Omit<PublicHeaderProps, 'day'>) {
  if (callNumber === null) {
    return phone === null ? null : <p className="text-right text-sm text-muted">Tel. {phone}</p>
  }
  return (
    <>
      <p className="hidden text-right text-sm text-muted print:block">Tel. {phone}</p>
      <a
        href={`tel:${callNumber}`}
        className={cn(secondary, 'px-4 print:hidden')}
        onClick={() => tracker.call()}
      >
        <Phone aria-hidden />
        <span>
          Chiama
          <span className="sr-only"> {name}</span>
        </span>
      </a>
    </>
  )
}

type OpeningLineProps = {
  week: OpeningWeek
  closings: PublicProfile['closings']
  /** The day that the page was rendered for. */
  day: Day
}

/** Whether the pharmacy is open now. It leads to its hours. */
function OpeningLine(props: OpeningLineProps) {
  const text = useLineText(props)
  return (
    <a
      href={`#${PHARMACY_ID}`}
      className="block border-t border-line text-sm hover:bg-sunken focus-visible:-outline-offset-2"
    >
      <span className="mx-auto flex min-h-12 max-w-5xl items-center gap-2 px-3 py-1.5 md:px-6">
        <Clock aria-hidden className="size-4.5 shrink-0 text-accent" />
        <span className="min-w-0 leading-tight font-medium">{text}</span>
        <span className="ml-auto inline-flex shrink-0 items-center gap-1 text-muted">
          Orari
          <ChevronDown aria-hidden className="size-4" />
        </span>
      </span>
    </a>
  )
}

/** The page is cached and may be read later, so the server names the hours of the day alone. */
function useLineText({ week, closings, day }: OpeningLineProps): string {
  const now = useNow()
  if (useHydrated()) return openingText(openingState(week, closings, now), now)
  const spans = closingOn(closings, day) ? [] : spansOf(week, day)
  return `Oggi: ${spansText(spans)}`
}
