import { useState } from 'react'
import type { Area } from '../../lib/session-state.ts'
import { Button } from '../../ui/button.tsx'
import { areas } from './areas.ts'
import { CodeForm } from './code-form.tsx'
import { RecoveryCodeForm } from './recovery-code-form.tsx'
import { RecoveryCodesLeft } from './recovery-codes-left.tsx'
import { SessionCard } from './session-card.tsx'

type SecondStepProps = {
  area: Area
  /** Of the account. */
  email: string
  /** Explains what the second factor is required for. */
  intro: string
  /** Keeps the step open after the session was elevated, because it has something to show. */
  onHold: (hold: boolean) => void
  /** The user wants to sign in with another account. */
  onLeave: () => void
}

/** Asks for the second factor after the password. */
export function SecondStep({ area, email, intro, onHold, onLeave }: SecondStepProps) {
  const [way, setWay] = useState<'app' | 'recovery' | 'recovered'>('app')
  if (way === 'recovered') return <RecoveryCodesLeft area={area} onDone={() => onHold(false)} />

  function leave() {
    areas[area].session.signOut()
    onLeave()
  }

  return (
    <SessionCard
      title="Verifica in due passaggi"
      intro={intro}
      footer={
        <div className="flex flex-col items-center gap-1">
          <p className="wrap-anywhere">Stai accedendo come {email}.</p>
          <Button look="link" className="md:h-11" onClick={leave}>
            Esci
          </Button>
        </div>
      }
    >
      {way === 'recovery' ? (
        <RecoveryCodeForm
          area={area}
          onHold={onHold}
          onUsed={() => setWay('recovered')}
          onBack={() => setWay('app')}
        />
      ) : (
        <CodeForm area={area} onLostApp={() => setWay('recovery')} />
      )}
    </SessionCard>
  )
}
