import { cn } from '../../../ui/class-names.ts'
import { statusLook } from './order-status.ts'

export function StatusBadge({ status }: { status: string }) {
  const { icon: Icon, pill } = statusLook(status)
  return (
    <span
      className={cn(
        'inline-flex min-h-7 items-center gap-1.5 rounded-full border px-2.5 py-0.5 text-sm font-medium',
        pill,
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {status || 'Senza stato'}
    </span>
  )
}
