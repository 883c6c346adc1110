import { type ReactNode, useId } from 'react'
import { formatDateTime } from '../../lib/format.ts'

type SettingsSectionProps = {
  title: string
  intro?: ReactNode
  /** When and by whom the section was saved. */
  saved?: { updatedAt: string | null; updatedBy: string | null }
  children: ReactNode
}

/** A section of the settings, as a card. */
export function SettingsSection({ title, intro, saved, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface px-4 py-4 md:px-5 md:py-5"
    >
      <h2 id={id} className="text-lg leading-snug font-medium tracking-tight">
        {title}
      </h2>
      {intro ? <p className="mt-1 text-sm text-pretty text-muted">{intro}</p> : null}
      <div className="mt-4 flex flex-col gap-4">{children}</div>
      {saved?.updatedAt ? (
        <p className="mt-4 text-sm wrap-anywhere text-muted">
          Salvato il {formatDateTime(saved.updatedAt)}
          {saved.updatedBy === null ? null : ` da ${saved.updatedBy}`}
        </p>
      ) : null}
    </section>
  )
}
