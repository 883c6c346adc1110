import { type Accent, brandPalette, HexColor } from '@bancone/contract/brand-color'
import {
  DESCRIPTION_LENGTH,
  type PharmacyProfile,
  type ProfileChange,
} from '@bancone/contract/pharmacy-profile'
import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useAction } from '../../lib/use-action.ts'
import { useBeforeUnloadPrompt } from '../../lib/use-before-unload-prompt.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { ClosingsField } from './closings-field.tsx'
import { type ErrorOf, ProfileValues, profileMessage, valuesOf } from './profile-values.ts'
import { WeekField } from './week-field.tsx'

/** A logo that was uploaded. */
export type NewLogo = { url: string; publicId: string }

export type LogoFieldProps = {
  /** Null for none. */
  url: string | null
  onChange: (logo: NewLogo | null) => void
  /** Called when an upload starts or ends. */
  onBusy: (busy: boolean) => void
}

type ProfileFormProps = {
  profile: PharmacyProfile
  /** @returns the profile after the change */
  onSave: (change: ProfileChange) => Promise<PharmacyProfile>
  renderLogo: (props: LogoFieldProps) => ReactNode
}

/** What a pharmacy shows of itself, for its owners and for administrators. */
export function ProfileForm({ profile, onSave, renderLogo }: ProfileFormProps) {
  const form = useForm({
    resolver: zodResolver(ProfileValues, { error: profileMessage }),
    defaultValues: valuesOf(profile),
    shouldFocusError: false,
  })
  const { control, formState, getFieldState, setValue } = form
  const { isSubmitted, isDirty, submitCount } = formState
  const [brandColor, openingWeek, closings, description, mapUrl] = useWatch({
    control,
    name: ['brandColor', 'openingWeek', 'closings', 'description', 'mapUrl'],
  })
  const { busy, failure, run } = useAction()
  const [shownLogo, setShownLogo] = useState(profile.logoUrl)
  /** Undefined: as it was. */
  const [logo, setLogo] = useState<string | null>()
  const [sending, setSending] = useState(false)
  const place = useRef<HTMLFormElement>(null)
  useBeforeUnloadPrompt(isDirty || logo !== undefined)
  useEffect(() => {
    if (submitCount === 0) return
    place.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [submitCount])

  const errorOf: ErrorOf = (path) => getFieldState(path, formState).error?.message
  function set<Name extends keyof ProfileValues>(name: Name, value: ProfileValues[Name]) {
    // Both sides have the same name, which the types of the library cannot follow.
    setValue<keyof ProfileValues>(name, value, { shouldDirty: true, shouldValidate: isSubmitted })
  }

  const submit = form.handleSubmit((changed) =>
    run(async () => {
      const saved = await onSave({ ...changed, ...(logo !== undefined && { logo }) })
      form.reset(valuesOf(saved))
      setLogo(undefined)
      setShownLogo(saved.logoUrl)
      toastSuccess('Profilo salvato', { about: 'profile' })
    }),
  )

  return (
    <form ref={place} noValidate onSubmit={submit} className="flex flex-col gap-4 md:gap-5">
      <Part title="Logo e colore" intro="Si vedono sulla pagina delle offerte e sui volantini.">
        {renderLogo({
          url: shownLogo,
          onBusy: setSending,
          onChange(chosen) {
            setShownLogo(chosen?.url ?? null)
            setLogo(chosen?.publicId ?? null)
          },
        })}
        <ColorField
          value={brandColor}
          error={errorOf('brandColor')}
          onChange={(color) => set('brandColor', color)}
        />
      </Part>
      <Part
        title="Orari di apertura"
        intro="Un orario che finisce prima di cominciare continua il giorno dopo. Per 24 ore scrivi 00:00–00:00. Senza orari la pagina non ne mostra."
      >
        <WeekField
          value={openingWeek}
          onChange={(changed) => set('openingWeek', changed)}
          errorOf={errorOf}
        />
      </Part>
      <Part title="Chiusure" intro="Ferie, festività e altri giorni in cui la farmacia è chiusa.">
        <ClosingsField
          value={closings}
          onChange={(changed) => set('closings', changed)}
          errorOf={errorOf}
        />
      </Part>
      <Part title="Presentazione">
        <TextArea
          label="Testo breve"
          hint="Chi siete e che servizi offrite."
          maxCharacters={DESCRIPTION_LENGTH}
          value={description ?? ''}
          error={errorOf('description')}
          onChange={({ target }) => set('description', target.value)}
        />
        <TextField
          label="Link alla mappa"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://maps.app.goo.gl/…"
          hint="Il link «Condividi» di Google Maps, Mappe di Apple, OpenStreetMap o Waze."
          value={mapUrl}
          error={errorOf('mapUrl')}
          onChange={({ target }) => set('mapUrl', target.value)}
        />
      </Part>
      <FailureAlert failure={failure} />
      <div className="flex">
        <Button
          type="submit"
          look="primary"
          size="large"
          className="max-md:w-full"
          inactive={busy || sending}
        >
          {busy ? 'Salvataggio…' : 'Salva'}
        </Button>
      </div>
    </form>
  )
}

function Part({ children, ...section }: { title: string; intro?: string; children: ReactNode }) {
  return (
    <CardSection {...section}>
      <div className="flex flex-col gap-5">{children}</div>
    </CardSection>
  )
}

type ColorFieldProps = {
  /** Empty for the colour of the application. */
  value: string
  error: string | undefined
  onChange: (color: string) => void
}

/** The colour of the application. */
const USUAL = '#0b7a4b'

/** The brand colour, with how it looks on light and on dark pages. */
function ColorField({ value, error, onChange }: ColorFieldProps) {
  const id = useId()
  const parsed = HexColor.safeParse(value)
  const palette = parsed.success ? brandPalette(parsed.data) : null
  const isDarkened = palette !== null && palette.light.accent !== parsed.data
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-end gap-2">
        <input
          type="color"
          aria-label="Scegli il colore"
          aria-describedby={`${id}-note`}
          value={parsed.success ? parsed.data : USUAL}
          onChange={({ target }) => onChange(target.value)}
          className="h-12 w-14 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1"
        />
        <TextField
          label="Colore"
          className="w-36"
          placeholder={USUAL}
          autoComplete="off"
          spellCheck={false}
          value={value}
          error={error}
          onChange={({ target }) => onChange(target.value)}
        />
        {value === '' ? null : (
          <Button className="h-12 md:h-12" onClick={() => onChange('')}>
            Togli
          </Button>
        )}
      </div>
      <p id={`${id}-note`} role="status" className="text-sm text-pretty text-muted">
        {palette === null
          ? 'Senza un colore la pagina ha quello di Bancone.'
          : isDarkened
            ? `È troppo chiaro perché i testi si leggano: sulle pagine chiare diventa ${palette.light.accent}.`
            : 'I testi si leggono bene. Nel tema scuro il colore diventa più chiaro, se serve.'}
      </p>
      {palette ? (
        <div aria-hidden className="flex flex-wrap gap-2">
          <Sample accent={palette.light} ground="#ffffff" />
          <Sample accent={palette.dark} ground="#161a18" />
        </div>
      ) : null}
    </div>
  )
}

function Sample({ accent, ground }: { accent: Accent; ground: string }) {
  return (
    <div
      className="flex items-center gap-3 rounded-card border border-line px-3 py-2.5 text-sm font-medium"
      style={{ background: ground, color: accent.accent }}
    >
      <span
        className="rounded-control px-3 py-1.5"
        style={{ background: accent.accent, color: accent.on }}
      >
        Ordina
      </span>
      <span className="rounded-control px-2 py-1.5" style={{ background: accent.soft }}>
        Chiama
      </span>
    </div>
  )
}
