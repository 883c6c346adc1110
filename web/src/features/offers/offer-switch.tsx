import type { OfferRecord } from '@bancone/contract/offers'
import { useId } from 'react'
import { SwitchMark } from '../../ui/switch.tsx'
import type { ListedState } from './offer-lists.ts'
import { OfferStateWord } from './offer-state.tsx'

type OfferSwitchProps = {
  offer: OfferRecord
  state: ListedState
  /** The change is pending. */
  updating: boolean
  onToggle: () => void
}

/** Switches an offer on and off. The word beside it is its effective state today. */
export function OfferSwitch({ offer, state, updating, onToggle }: OfferSwitchProps) {
  const id = useId()
  const checked = offer.fields.Stato_Offerta === 'Attiva'
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={`Offerta attiva: ${offer.fields.Nome_Prodotto}`}
      aria-describedby={id}
      aria-disabled={updating || undefined}
      onClick={updating ? undefined : onToggle}
      className="group -ml-1.5 flex min-h-11 items-center gap-2.5 rounded-control px-1.5 text-left"
    >
      <SwitchMark checked={checked} />
      <OfferStateWord id={id} state={state} />
    </button>
  )
}
