import type { ReactNode } from 'react'
import { PageTitle } from '../../ui/page-title.tsx'

type SessionCardProps = {
  title: string
  intro?: ReactNode
  children: ReactNode
  footer?: ReactNode
  /** It replaces the focused element, on the same page. */
  takesFocus?: boolean | undefined
}

/** A card in the middle of the page. It grows downwards, so that its content does not move. */
export function SessionCard({ title, intro, children, footer, takesFocus }: SessionCardProps) {
  return (
    <div className="mx-auto w-full max-w-108 px-4 pt-8 pb-14 sm:pt-[11dvh]">
      <div className="rounded-card border border-line bg-surface p-6 sm:p-8">
        <PageTitle takesFocus={takesFocus}>{title}</PageTitle>
        {intro ? <p className="mt-1.5 text-sm text-pretty text-muted">{intro}</p> : null}
        {children}
        {footer ? (
          <div className="mt-6 border-t border-line pt-4 text-center text-sm text-balance text-muted">
            {footer}
          </div>
        ) : null}
      </div>
    </div>
  )
}
