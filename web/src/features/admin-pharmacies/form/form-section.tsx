import { type ReactNode, type Ref, useId } from 'react'

type FormSectionProps = {
  title: string
  intro?: string
  /** Gets the focus when the focused element disappears. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

/** A section of the form, as a card. */
export function FormSection({ title, intro, heading, children }: FormSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <div>
        <h2
          ref={heading}
          id={id}
          tabIndex={-1}
          className="text-lg leading-tight font-medium outline-none"
        >
          {title}
        </h2>
        {intro ? <p className="mt-1 text-sm text-pretty text-muted">{intro}</p> : null}
      </div>
      {children}
    </section>
  )
}
