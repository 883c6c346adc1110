import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { Button } from '../../../ui/button.tsx'
import { stateOf } from '../offer-lists.ts'
import { OfferStateWord } from '../offer-state.tsx'

type OfferChoiceProps = {
  offers: readonly OfferRecord[]
  chosen: ReadonlySet<string>
  today: Day
  onChoose: (chosen: ReadonlySet<string>) => void
}

/** Chooses the offers to print. Unpublished ones are marked. */
export function OfferChoice({ offers, chosen, today, onChoose }: OfferChoiceProps) {
  function toggle(id: string) {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }

  return (
    <fieldset className="flex min-h-0 min-w-0 flex-col gap-2">
      <legend className="mb-1.5 text-sm font-medium">Offerte da stampare</legend>
      <div className="flex gap-2">
        <Button size="small" onClick={() => onChoose(new Set(offers.map(({ id }) => id)))}>
          Tutte
        </Button>
        <Button size="small" onClick={() => onChoose(new Set())}>
          Nessuna
        </Button>
      </div>
      <ul className="max-h-80 overflow-y-auto overscroll-contain rounded-card border border-line bg-surface lg:max-h-[60vh]">
        {offers.map((offer) => {
          const state = stateOf(offer, today)
          return (
            <li key={offer.id} className="border-b border-line last:border-b-0">
              <label className="flex min-h-11 cursor-pointer items-center gap-3 px-3 py-2 text-sm hover:bg-sunken">
                <input
                  type="checkbox"
                  checked={chosen.has(offer.id)}
                  onChange={() => toggle(offer.id)}
                  className="size-5 shrink-0 cursor-pointer accent-accent md:size-4"
                />
                <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
                  {offer.fields.Nome_Prodotto}
                </span>
                {state === 'active' ? null : <OfferStateWord state={state} />}
              </label>
            </li>
          )
        })}
      </ul>
    </fieldset>
  )
}
