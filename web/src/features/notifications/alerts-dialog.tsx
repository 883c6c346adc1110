import { useState } from 'react'
import type { ModalProps } from '../../lib/use-opened.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Switch } from '../../ui/switch.tsx'
import { createSpeaker } from './bell.ts'
import { type DevicePreference, useDevicePreference } from './device-preference.ts'
import { DeviceStatus } from './device-status.tsx'
import { useNotificationState } from './notification-state.ts'
import { switchNotifications } from './notification-switch.ts'
import { arrivalSoundPreference, soundPreference } from './use-news-sound.ts'

const choosable = new Set(['on', 'off', 'unasked'])

function NotificationSection() {
  const state = useNotificationState()
  const [busy, setBusy] = useState(false)

  // Obstacles are explained below the switch, by the state of the device.
  async function change() {
    setBusy(true)
    await switchNotifications().catch(() => null)
    setBusy(false)
  }

  return (
    <section aria-label="Notifiche">
      <Switch
        label="Notifiche di sistema"
        hint="Quando arriva un ordine e non stai guardando la pagina. Dicono solo quanti sono."
        checked={state === 'on'}
        inactive={busy || !choosable.has(state)}
        onChange={() => void change()}
      />
      <div className="mt-3.5">
        <DeviceStatus state={state} />
      </div>
    </section>
  )
}

function SoundSection({ arrivals }: Pick<AlertsDialogProps, 'arrivals'>) {
  const on = useDevicePreference(soundPreference)
  const isOnForArrivals = useDevicePreference(arrivalSoundPreference)
  const [silent, setSilent] = useState(false)

  function change(preference: DevicePreference, next: boolean) {
    preference.set(next)
    setSilent(false)
    // A sample, for setting the volume; the click also permits later sounds.
    if (next)
      createSpeaker()
        .play()
        .catch(() => setSilent(true))
  }

  return (
    <section aria-label="Suono" className="mt-5 border-t border-line pt-5">
      <Switch
        label="Suono finché qualcuno non ha visto i nuovi ordini"
        hint="Si ripete ogni 10 secondi finché Bancone è aperto, e tace quando gli ordini sono stati visti su uno schermo qualsiasi."
        checked={on}
        onChange={(next) => change(soundPreference, next)}
      />
      {arrivals ? (
        <div className="mt-4">
          <Switch
            label="Suono quando arriva un cliente"
            hint="Si ripete ogni 10 secondi finché qualcuno non ha preso nota dell'arrivo su uno schermo qualsiasi."
            checked={isOnForArrivals}
            onChange={(next) => change(arrivalSoundPreference, next)}
          />
        </div>
      ) : null}
      <p role="status" className="mt-2 text-sm text-pending empty:hidden">
        {silent ? 'Il suono non è partito: controlla il volume e le impostazioni del sito.' : null}
      </p>
    </section>
  )
}

type AlertsDialogProps = ModalProps & {
  /** The pharmacy has priority access. */
  arrivals: boolean
}

/** Notification settings of this device. */
export function AlertsDialog({ arrivals, onClose, onReturnFocus }: AlertsDialogProps) {
  const footer = (
    <Button className="flex-1" onClick={onClose}>
      Chiudi
    </Button>
  )
  return (
    <Sheet
      title="Avvisi"
      closeLabel="Chiudi gli avvisi"
      footer={footer}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <p className="mb-5 text-sm text-pretty text-muted">
        Come questo dispositivo avvisa delle novità. Ogni computer o telefono ha le sue scelte.
      </p>
      <NotificationSection />
      <SoundSection arrivals={arrivals} />
    </Sheet>
  )
}
