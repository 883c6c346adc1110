import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../ui/class-names.ts'

const tones = {
  good: 'border-confirmed-line bg-confirmed-soft text-confirmed',
  poor: 'border-danger-line bg-danger-soft text-danger',
  waiting: 'border-pending-line bg-pending-soft text-pending',
  info: 'border-bookedToday-line bg-bookedToday-soft text-bookedToday',
  plain: 'border-line-strong bg-sunken text-muted',
}

type BadgeProps = { tone: keyof typeof tones; icon: LucideIcon; children: ReactNode }

/** A state, by its icon, word and colour. */
export function Badge({ tone, icon: Icon, children }: BadgeProps) {
  return (
    <span
      className={cn(
        'inline-flex items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm font-medium whitespace-nowrap',
        tones[tone],
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {children}
    </span>
  )
}
