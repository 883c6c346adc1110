import { curativeClaim } from '@bancone/contract/offer-rules'
import type { OfferRefusal } from '@bancone/contract/offers'
import { isMedicine, type RegulatoryClass } from '@bancone/contract/product-categories'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import type { OfferDraft } from './offer-draft.ts'
import type { OfferEditorState } from './use-offer-editor.ts'

type OfferNoticesProps = {
  slot: OfferFormSlot
  editor: OfferEditorState
  medicine: boolean
  /** Why the medicine cannot be published; null when it can. */
  refusal: OfferRefusal | null
  /** Of the chosen category; undefined while none is chosen. */
  regulatoryClass: RegulatoryClass | undefined
  draft: OfferDraft
}

/** Notices about the state of the form, such as a restored draft, and about the law. */
export function OfferNotices(props: OfferNoticesProps) {
  const { slot, editor, medicine, refusal, regulatoryClass, draft } = props
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
      {medicine && refusal === null ? (
        <Alert tone="notice">
          È un medicinale: il pubblico vede solo nome, foto della confezione e prezzo, e il pulsante
          «Prenota via WhatsApp».
          {regulatoryClass === undefined ||
          isMedicine(regulatoryClass) ||
          regulatoryClass === 'veterinario'
            ? null
            : ` Scegli una categoria di medicinali: in «${draft.category}» i clienti lo trovano tra gli altri prodotti.`}
        </Alert>
      ) : null}
      {claim === null ? null : (
        <Alert tone="notice">
          «{claim}» promette una cura: per legge può dirlo solo un medicinale autorizzato. Se non lo
          è, riformula il testo.
        </Alert>
      )}
    </>
  )
}
