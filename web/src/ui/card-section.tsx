import { type ReactNode, type Ref, useId } from 'react'
import { cn } from './class-names.ts'

type CardSectionProps = {
  title: string
  intro?: ReactNode
  /** Current state, shown beside the title. */
  state?: ReactNode
  /** Gets the focus when the focused element disappears. */
  heading?: Ref<HTMLHeadingElement>
  className?: string
  children: ReactNode
}

/** A section of a page, as a card. */
export function CardSection({ title, intro, state, heading, ...props }: CardSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5',
        props.className,
      )}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <h2
          id={id}
          ref={heading}
          tabIndex={-1}
          className="scroll-mt-20 text-lg leading-snug font-medium tracking-tight outline-none"
        >
          {title}
        </h2>
        {state}
      </div>
      {intro ? <p className="mt-1 text-sm text-pretty text-muted">{intro}</p> : null}
      <div className="mt-4 flex flex-col gap-4">{props.children}</div>
    </section>
  )
}
