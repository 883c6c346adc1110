import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
}

/** Says what will appear here, and what to do about it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-16 text-center">
      <span
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-full bg-accent-soft text-accent [&_svg]:size-6"
      >
        {icon}
      </span>
      <p className="text-base font-semibold">{title}</p>
      <p className="max-w-sm text-sm text-balance text-muted">{children}</p>
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  )
}
