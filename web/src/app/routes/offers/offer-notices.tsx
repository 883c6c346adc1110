import type { OfferEditorState } from '../../../features/offers/form/use-offer-editor.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'

type OfferNoticesProps = { slot: OfferFormSlot; editor: OfferEditorState; medicine: boolean }

/** Notices about the state of the form, such as a restored draft. */
export function OfferNotices({ slot, editor, medicine }: OfferNoticesProps) {
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
    </>
  )
}
