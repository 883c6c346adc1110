import type { OfferRecord } from '@bancone/contract/offers'
import { errorTexts } from '../../lib/error-texts.ts'

/** Why an offer that is switched on is not published. */
export function OfferRefusalNote({ offer: { fields, refusal } }: { offer: OfferRecord }) {
  if (refusal === null || fields.Stato_Offerta === 'Inattiva') return null
  return (
    <p className="mt-0.5 text-xs font-normal text-pretty text-danger">
      <span className="font-medium">Non pubblicata.</span> {errorTexts[refusal]}
    </p>
  )
}
