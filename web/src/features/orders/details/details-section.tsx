import { type ReactNode, useId } from 'react'

type DetailsSectionProps = {
  title: string
  hint?: string | undefined
  /** Stands beside the title. */
  action?: ReactNode
  children: ReactNode
}

/** A part of the details under a title of its own. */
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
