import { curativeClaim } from '@bancone/contract/offer-rules'
import type { OfferDraft } from '../../../features/offers/form/offer-draft.ts'
import type { OfferEditorState } from '../../../features/offers/form/use-offer-editor.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'

type OfferNoticesProps = {
  slot: OfferFormSlot
  editor: OfferEditorState
  medicine: boolean
  draft: OfferDraft
}

/** Notices about the state of the form, such as a restored draft, and about the law. */
export function OfferNotices({ slot, editor, medicine, draft }: OfferNoticesProps) {
  const claim = medicine ? null : curativeClaim(`${draft.name}\n${draft.description}`)
  const { restored, hasOwnDraft } = editor.opened
  return (
    <>
      {restored ? (
        <Alert
          tone="notice"
          action={
            <Button size="small" onClick={editor.leave}>
              Scarta le modifiche
            </Button>
          }
        >
          Ci sono ancora le modifiche che non avevi salvato.
        </Alert>
      ) : null}
      {hasOwnDraft ? (
        <Alert
          tone="notice"
          action={
            <Button
              size="small"
              onClick={() => {
                editor.startNew()
                slot.onTask({ kind: 'new' })
              }}
            >
              Riprendi quella
            </Button>
          }
        >
          La nuova offerta che avevi iniziato ti aspetta.
        </Alert>
      ) : null}
      {medicine ? (
        <Alert tone="notice">
          È un medicinale: il pubblico vede solo nome, foto della confezione e prezzo, e il pulsante
          «Prenota via WhatsApp».
        </Alert>
      ) : null}
      {claim === null ? null : (
        <Alert tone="notice">
          «{claim}» promette una cura: per legge può dirlo solo un medicinale autorizzato. Se non lo
          è, scrivilo in un altro modo.
        </Alert>
      )}
    </>
  )
}
