import {
  changeSetting,
  getSettings,
  type PlatformSettings,
  type SettingChange,
  type SettingKey,
} from '@bancone/contract/settings'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { fieldTexts } from '../../lib/field-texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { useAction } from '../../lib/use-action.ts'
import { CardSection } from '../../ui/card-section.tsx'
import { SettingForm } from '../../ui/setting-form.tsx'
import { toastSuccess } from '../../ui/toast.ts'

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

/**
 * Saves a setting over the version that the form began with. A version that was loaded later does not count: its value
 * was not shown to the user.
 */
export function useSettingSave<Key extends SettingKey>(key: Key, loaded: PlatformSettings[Key]) {
  const client = useQueryClient()
  const [version, setVersion] = useState(loaded.version)
  const { busy, failure, run } = useAction()

  /** @param after called when it has been saved */
  async function save(value: PlatformSettings[Key]['value'], done: string, after?: () => void) {
    await run(async () => {
      // The key belongs to its value, which the compiler cannot follow.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      const body = { key, version, value } as SettingChange
      const settings = await call(changeSetting, { body })
      setVersion(settings[key].version)
      client.setQueryData(endpointKey(getSettings, {}), settings)
      toastSuccess(done)
      after?.()
    })
  }

  return { busy, failure, save }
}

const moment = 'Inserisci giorno e ora.'

/** The Italian text of an issue in a field of the settings. */
export const fieldMessage = fieldTexts({
  email: { other: 'Inserisci un indirizzo email valido.' },
  phone: { other: 'Inserisci il numero con il prefisso, per esempio +39 06 1234567.' },
  whatsapp: { other: 'Inserisci il numero con il prefisso, per esempio +39 333 1234567.' },
  hours: { other: 'Al massimo 200 caratteri.' },
  orderDays: { other: 'Inserisci un numero di giorni tra 30 e 730, oppure lascia vuoto.' },
  removedOrderDays: { other: 'Inserisci un numero di giorni tra 7 e 365.' },
  pageViewDays: { other: 'Inserisci un numero di giorni tra 30 e 1.095.' },
  maxOffers: { other: 'Inserisci un numero intero, oppure lascia vuoto per nessun limite.' },
  text: { too_big: 'Il testo è troppo lungo.', other: 'Scrivi il testo.' },
  from: { other: moment },
  until: { custom: "La fine deve venire dopo l'inizio.", other: moment },
})

/** The value of a text field for a number that may be empty; NaN for another text. */
export function numberOrNull(typed: unknown): number | null {
  if (typeof typed === 'number') return typed
  const text = typeof typed === 'string' ? typed.trim() : ''
  return text === '' ? null : Number(text)
}
