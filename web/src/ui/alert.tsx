import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

const looks = {
  error: { Icon: CircleAlert, className: 'border-danger-line bg-danger-soft text-danger' },
  notice: { Icon: Info, className: 'border-pending-line bg-pending-soft text-pending' },
  done: { Icon: CircleCheck, className: 'border-confirmed-line bg-confirmed-soft text-confirmed' },
}

type AlertProps = {
  /** `error` interrupts a screen reader (`role="alert"`); the others wait for a pause. */
  tone: keyof typeof looks
  action?: ReactNode
  children: ReactNode
}

export function Alert({ tone, action, children }: AlertProps) {
  const { Icon, className } = looks[tone]
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cn(
        'flex gap-3 rounded-card border px-3.5 py-2.5 text-sm sm:items-center',
        // With several paragraphs the icon is aligned with the first, the title.
        'has-[p+p]:items-start',
        className,
      )}
    >
      <Icon aria-hidden className="mt-px size-4.5 shrink-0" />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48 text-pretty">{children}</div>
        {action}
      </div>
    </div>
  )
}
