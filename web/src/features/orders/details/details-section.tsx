import { type ReactNode, useId, useRef, useState } from 'react'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

type DetailsSectionProps = {
  title: string
  hint?: string | undefined
  /** Content next to the title. */
  action?: ReactNode
  children: ReactNode
}

/** A section of the details with a title. */
export function DetailsSection({ title, hint, action, children }: DetailsSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="mt-4 flex flex-col gap-3 border-t border-line pt-4 print:hidden"
    >
      <div className="flex items-start justify-between gap-3">
        <div>
          <h3 id={id} className="font-medium">
            {title}
          </h3>
          {hint ? <p className="text-sm text-muted">{hint}</p> : null}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** Placeholder for notes, other orders and history. */
export function DetailsSkeleton() {
  return (
    <Loading className="mt-4 flex flex-col gap-4 border-t border-line pt-4">
      <Skeleton className="h-4 w-2/5" />
      <Skeleton shape="control" className="h-20" />
      <Skeleton className="h-4 w-1/3" />
      {['w-4/5', 'w-3/5', 'w-2/3'].map((width) => (
        <span key={width} className="flex items-center gap-3">
          <Skeleton shape="pill" className="size-6 shrink-0" />
          <Skeleton className={`h-4 ${width}`} />
        </span>
      ))}
    </Loading>
  )
}

/** How long ago something was, with the date as tooltip. */
export function RelativeTime({ value, now }: { value: string; now: number }) {
  const moment = formatDateTime(value)
  return (
    <time dateTime={value} title={moment} className="tabular-nums">
      {formatRelative(value, now) ?? moment}
    </time>
  )
}

/** Whether an item of a list is edited in its place. Afterwards the first button of the item gets the focus. */
export function useEditing(initially = false) {
  const [editing, setEditing] = useState(initially)
  const item = useRef<HTMLDivElement>(null)
  return {
    item,
    editing,
    edit: () => setEditing(true),
    end() {
      setEditing(false)
      focusFirstButton(item)
    },
  }
}
