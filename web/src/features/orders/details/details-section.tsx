import { type ReactNode, useId } from 'react'

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
