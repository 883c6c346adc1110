import type { ComponentProps, ReactNode } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { CardSection } from '../../ui/card-section.tsx'
import { SettingForm } from '../../ui/setting-form.tsx'

type PlatformSettingFormProps = Omit<ComponentProps<typeof SettingForm>, 'leave'> & {
  title: string
  intro: ReactNode
  /** When and by whom the setting was saved. */
  saved: { updatedAt: string | null; updatedBy: string | null }
  unsaved: boolean
}

/** The form of a setting of the platform, as a section. */
export function PlatformSettingForm(props: PlatformSettingFormProps) {
  const { title, intro, saved, unsaved, ...form } = props
  const text = `Le modifiche di «${title}» non sono ancora salvate.`
  return (
    <CardSection title={title} intro={intro}>
      <SettingForm {...form} leave={{ unsaved, text }} />
      {saved.updatedAt ? (
        <p className="text-sm wrap-anywhere text-muted">
          Salvato il {formatDateTime(saved.updatedAt)}
          {saved.updatedBy === null ? null : ` da ${saved.updatedBy}`}
        </p>
      ) : null}
    </CardSection>
  )
}
