import type { ReactNode } from 'react'

type EmptyStateProps = {
  icon: ReactNode
  title: string
  /** 'h1' where it replaces the whole page. */
  heading?: 'h1' | 'p'
  children: ReactNode
  action?: ReactNode
}

/** Explains why there is no content, and what can be done. */
export function EmptyState({
  icon,
  title,
  heading: Heading = 'p',
  children,
  action,
}: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-1 px-6 py-16 text-center">
      <span
        aria-hidden
        className="mb-3 grid size-12 place-items-center rounded-full bg-accent-soft text-accent [&_svg]:size-6"
      >
        {icon}
      </span>
      <Heading className="text-base font-medium">{title}</Heading>
      <p className="max-w-sm text-sm text-balance text-muted">{children}</p>
      {action ? <div className="mt-4">{action}</div> : null}
    </div>
  )
}

/** Replaces an empty list. */
export function EmptyList(props: Omit<EmptyStateProps, 'heading'>) {
  return (
    <div className="rounded-card border border-line bg-surface">
      <EmptyState {...props} />
    </div>
  )
}
