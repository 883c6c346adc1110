import { CircleAlert, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

type AlertProps = {
  /** `error` interrupts a screen reader, `notice` waits for a pause. */
  tone: 'error' | 'notice'
  action?: ReactNode
  children: ReactNode
}

export function Alert({ tone, action, children }: AlertProps) {
  const error = tone === 'error'
  const Icon = error ? CircleAlert : Info
  return (
    <div
      role={error ? 'alert' : 'status'}
      className={cn(
        'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border px-3.5 py-2.5 text-sm',
        error
          ? 'border-danger-line bg-danger-soft text-danger'
          : 'border-pending-line bg-pending-soft text-pending',
      )}
    >
      <Icon aria-hidden className="size-4.5 shrink-0" />
      <div className="min-w-0 flex-1 basis-48">{children}</div>
      {action}
    </div>
  )
}
