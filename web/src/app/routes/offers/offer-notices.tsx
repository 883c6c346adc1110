import type { OfferWorkControl } from '../../../features/offers/form/use-offer-work.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'

type OfferNoticesProps = { slot: OfferFormSlot; form: OfferWorkControl; medicine: boolean }

/** What one should know of the offer before going on with it. */
export function OfferNotices({ slot, form, medicine }: OfferNoticesProps) {
  const { work } = form
  return (
    <>
      {work.restored ? (
        <Alert
          tone="notice"
          action={
            <Button size="small" onClick={form.leave}>
              Scarta le modifiche
            </Button>
          }
        >
          Ci sono ancora le modifiche che non avevi salvato.
        </Alert>
      ) : null}
      {work.aside ? (
        <Alert
          tone="notice"
          action={
            <Button
              size="small"
              onClick={() => {
                form.beginNew()
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
