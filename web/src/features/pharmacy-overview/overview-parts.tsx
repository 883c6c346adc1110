import { adminPharmacyPath } from '@bancone/contract/admin-pages'
import { copyErrorText, type Light } from '@bancone/contract/pharmacy-attention'
import type { PharmacyOverview } from '@bancone/contract/pharmacy-overview'
import { CircleCheck, OctagonAlert, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import { formatCount, formatDateTime, formatNumber, formatRelative } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'

export const lights = {
  red: { Icon: OctagonAlert, name: 'Da risolvere', className: 'text-danger' },
  yellow: { Icon: TriangleAlert, name: 'Da guardare', className: 'text-pending' },
  green: { Icon: CircleCheck, name: 'A posto', className: 'text-confirmed' },
} as const satisfies Record<Light, object>

export type OverviewItemProps = { pharmacy: PharmacyOverview; now: number }

export function LightIcon({ light, className }: { light: Light; className?: string }) {
  const { Icon, name, className: colour } = lights[light]
  return (
    <>
      <Icon aria-hidden className={cn('size-4.5 shrink-0', colour, className)} />
      <span className="sr-only">{name}: </span>
    </>
  )
}

/** The name leads to the form of the pharmacy. */
export function PharmacyName({ pharmacy }: Pick<OverviewItemProps, 'pharmacy'>) {
  return (
    <Link
      to={adminPharmacyPath(pharmacy.id)}
      className="inline-flex min-h-8 items-center font-medium wrap-anywhere text-ink underline-offset-4 hover:underline pointer-coarse:min-h-11"
    >
      {pharmacy.name}
    </Link>
  )
}

/** The reasons of the light, or that there is none. */
export function Reasons({ pharmacy }: Pick<OverviewItemProps, 'pharmacy'>) {
  const { reasons, isActive } = pharmacy
  if (!isActive) return <p className="text-xs text-muted">Disattivata</p>
  if (reasons.length === 0) return null
  return (
    <ul className="flex flex-col gap-0.5 text-xs wrap-anywhere">
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}

/** '3 minuti fa', or the date of what is older; `never` for null. */
export function when(time: string | null, now: number, never: string): string {
  if (time === null) return never
  return formatRelative(time, now) ?? formatDateTime(time)
}

export function copyText({ source, copyError, lastReadAt }: PharmacyOverview, now: number): string {
  if (source === 'database') return 'Database'
  if (copyError) return copyErrorText(copyError.kind)
  return when(lastReadAt, now, 'Mai letta')
}

export function offersText({ activeOffers, maxOffers }: PharmacyOverview): string {
  return maxOffers === null
    ? formatNumber(activeOffers)
    : `${formatNumber(activeOffers)} di ${formatNumber(maxOffers)}`
}

const megabytes = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 })

export function storageText({ storageBytes }: PharmacyOverview): string {
  return `${megabytes.format(storageBytes / (1024 * 1024))} MB`
}

export function planText({ planDaysLeft, planValidUntil }: PharmacyOverview): string {
  if (planDaysLeft === null || planValidUntil === null) return 'Senza fine'
  if (planDaysLeft < 0) return 'Scaduto'
  if (planDaysLeft === 0) return 'Scade oggi'
  return formatCount(planDaysLeft, 'giorno', 'giorni')
}
