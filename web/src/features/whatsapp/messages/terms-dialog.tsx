import { acceptWhatsAppTerms, type WhatsAppMessages } from '@bancone/contract/whatsapp-messages'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { Sheet } from '../../../ui/sheet.tsx'

type TermsDialogProps = {
  onAccepted: (messages: WhatsAppMessages) => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

/** What messages mean, which an owner reads and accepts. */
export function TermsDialog({ onAccepted, onClose, onReturnFocus }: TermsDialogProps) {
  const [read, setRead] = useState(false)
  const { busy, failure, clearFailure, run } = useAction()

  const accept = () => {
    clearFailure()
    void run(async () => {
      const { version } = whatsAppTerms
      await onAccepted(await call(acceptWhatsAppTerms, { body: { version } }))
      onClose()
    })
  }

  return (
    <Sheet
      title="Prima di attivare i messaggi"
      closeLabel="Chiudi la finestra"
      footer={
        <>
          <Button className="flex-1" inactive={busy} onClick={onClose}>
            Annulla
          </Button>
          <Button look="primary" className="flex-1" inactive={busy || !read} onClick={accept}>
            {busy ? 'Attivazione in corso…' : 'Accetto e attivo'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-col gap-4">
        {whatsAppTerms.paragraphs.map((paragraph) => (
          <p key={paragraph} className="text-pretty">
            {paragraph}
          </p>
        ))}
        <label className="flex min-h-11 items-center gap-3 rounded-control border border-line px-3 py-2">
          <input
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            checked={read}
            onChange={({ target }) => setRead(target.checked)}
          />
          Ho letto e accetto per conto della farmacia
        </label>
        <p className="text-sm text-muted">Testo n. {whatsAppTerms.version}</p>
        <FailureAlert failure={failure} />
      </div>
    </Sheet>
  )
}
