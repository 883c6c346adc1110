import { type ReactNode, type Ref, useId } from 'react'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

type AccountSectionProps = {
  title: string
  intro?: ReactNode
  /** Current state, shown beside the title. */
  state?: ReactNode
  /** Gets the focus when the focused element disappears. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A section of the account page, as a card. */
export function AccountSection({ title, intro, state, heading, children }: AccountSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5"
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2
          id={id}
          ref={heading}
          tabIndex={-1}
          className="text-lg leading-snug font-medium tracking-tight outline-none"
        >
          {title}
        </h2>
        {state}
      </div>
      {intro ? <p className="mt-1 text-sm text-pretty text-muted">{intro}</p> : null}
      <div className="mt-4 flex flex-col gap-4">{children}</div>
    </section>
  )
}

/** Placeholder for lines of text that are loading. */
export function LinesSkeleton({ what, lines }: { what: string; lines: readonly string[] }) {
  return (
    <Loading text={`Caricamento ${what} in corso…`} className="flex flex-col gap-3">
      {lines.map((width) => (
        <Skeleton key={width} className={`h-4.5 ${width}`} />
      ))}
    </Loading>
  )
}
