import { RECOVERY_CODE_COUNT } from '@bancone/contract/account'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { countRecoveryCodes, type RecoveryCodeCount } from '../../lib/recovery-codes.ts'
import type { Area } from '../../lib/session-state.ts'
import { ActionDialog } from '../../ui/action-dialog.tsx'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { recoveryCodesKey } from './own-account.ts'

/** With fewer codes, new ones are recommended. */
const FEW = 3

function left({ remaining, total }: RecoveryCodeCount): string {
  if (total === 0) return 'Non ne hai ancora.'
  if (remaining === 0) return `Li hai usati tutti e ${total}.`
  const count = remaining === 1 ? 'Ne resta 1' : `Ne restano ${remaining}`
  return `${count} di ${total}: ognuno vale una volta sola.`
}

function warning({ remaining, total }: RecoveryCodeCount): string | null {
  if (total === 0 || remaining === 0) {
    return 'Senza codici di recupero, se perdi il telefono non puoi più entrare: creane di nuovi.'
  }
  return remaining <= FEW ? 'I codici di recupero stanno finendo: creane di nuovi.' : null
}

/** Number of unused recovery codes, and how to replace them. */
export function RecoveryCodesPart({ area }: { area: Area }) {
  const counted = useQuery({
    queryKey: recoveryCodesKey(area),
    queryFn: () => countRecoveryCodes(area),
  })
  const [asking, setAsking] = useState(false)
  const [making, setMaking] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4">
      {making ? (
        <NewRecoveryCodes
          area={area}
          onKept={() => {
            setMaking(false)
            requestAnimationFrame(() => heading.current?.focus())
          }}
        />
      ) : (
        <>
          <h3 ref={heading} tabIndex={-1} className="font-medium outline-none">
            Codici di recupero
          </h3>
          <QueryStates
            query={counted}
            otherwise="Non è stato possibile contare i codici di recupero. Riprova."
            skeleton={<LinesSkeleton what="dei codici di recupero" lines={['w-56']} />}
          >
            {(count) => (
              <>
                {warning(count) ? <Alert tone="notice">{warning(count)}</Alert> : null}
                <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
                  <p className="min-w-0 flex-1 basis-60 text-sm text-muted">{left(count)}</p>
                  <Button
                    ref={opener}
                    aria-haspopup={count.remaining > 0 ? 'dialog' : undefined}
                    onClick={() => (count.remaining > 0 ? setAsking(true) : setMaking(true))}
                  >
                    {count.total > 0 ? 'Crea codici nuovi' : 'Crea i codici'}
                  </Button>
                </div>
              </>
            )}
          </QueryStates>
        </>
      )}
      {asking ? (
        <ActionDialog
          title="Creare codici di recupero nuovi?"
          text={`Ne avrai ${RECOVERY_CODE_COUNT} nuovi, e quelli che hai salvato non varranno più.`}
          confirm="Crea i codici"
          look="primary"
          onClose={() => setAsking(false)}
          action={() => {
            setAsking(false)
            setMaking(true)
          }}
          // Until the new codes take the focus.
          onReturnFocus={() => opener.current?.focus()}
        />
      ) : null}
    </div>
  )
}
