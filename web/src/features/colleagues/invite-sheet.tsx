import type { Colleague } from '@bancone/contract/colleagues'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { toastError } from '../../ui/toast.ts'
import { InvitationForm } from './invitation-form.tsx'

type InviteSheetProps = {
  onInvited: (colleague: Colleague) => void
  onClose: () => void
  onReturnFocus: () => void
}

/** The sheet with the invitation form. */
export function InviteSheet({ onInvited, onClose, onReturnFocus }: InviteSheetProps) {
  const form = useId()
  const [busy, setBusy] = useState(false)
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])

  return (
    <Sheet
      title="Invita un collega"
      closeLabel="Chiudi la finestra"
      footer={
        <>
          <Button className="flex-1" onClick={onClose}>
            Chiudi
          </Button>
          <Button type="submit" form={form} look="primary" className="flex-1" inactive={busy}>
            {busy ? 'Invio in corso…' : 'Invia invito'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <InvitationForm
        id={form}
        onBusy={setBusy}
        onInvited={(colleague) => {
          onInvited(colleague)
          if (open.current) onClose()
        }}
        onFailed={() => {
          // While the sheet is open, the form shows the error.
          if (open.current) return
          toastError("L'invito non è stato inviato", {
            about: 'colleague',
            description: 'I dati sono ancora in «Invita un collega».',
          })
        }}
      />
    </Sheet>
  )
}
