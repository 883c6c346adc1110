import { useEffect, useEffectEvent, useState } from 'react'
import { countRecoveryCodes } from '../../lib/recovery-codes.ts'
import type { Area } from '../../lib/session-state.ts'
import { Button } from '../../ui/button.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { SessionCard } from './session-card.tsx'

function leftText(remaining: number): string {
  if (remaining === 0) {
    return "Era l'ultimo: in «Sicurezza» crea subito nuovi codici, altrimenti senza l'app non potrai più entrare."
  }
  const left = remaining === 1 ? 'Te ne resta uno.' : `Te ne restano ${remaining}.`
  return `${left} Se hai perso il telefono, in «Sicurezza» rimuovi la vecchia app e collegane una nuova.`
}

type RecoveryCodesLeftProps = { area: Area; onDone: () => void }

/** Shows the number of unused codes after one was used. Continues at once when it cannot be read. */
export function RecoveryCodesLeft({ area, onDone }: RecoveryCodesLeftProps) {
  const [remaining, setRemaining] = useState<number | null>(null)
  const leadOn = useEffectEvent(onDone)
  useEffect(() => {
    let over = false
    countRecoveryCodes(area).then(
      (count) => {
        if (!over) setRemaining(count.remaining)
      },
      () => {
        if (!over) leadOn()
      },
    )
    return () => {
      over = true
    }
  }, [area])

  if (remaining === null) return <PageSpinner />
  return (
    <SessionCard title="Codice di recupero usato" intro={leftText(remaining)} takesFocus>
      <Button look="primary" size="large" className="mt-6 w-full" onClick={onDone}>
        Continua
      </Button>
    </SessionCard>
  )
}
