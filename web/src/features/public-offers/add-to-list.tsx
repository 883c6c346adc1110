import type { PublicOffer } from '@bancone/contract/public-offers'
import { MOST_ORDERED } from '@bancone/contract/whatsapp-order'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import { quiet } from './looks.ts'
import type { Shop } from './shop.ts'

type AddToListProps = {
  offer: PublicOffer
  /** The id of its name. */
  describedBy: string
  shop: Pick<Shop, 'list' | 'place'>
  look?: string
  className?: string
}

/** Puts the product on the list; when it is there, leads to it. */
export function AddToList({ offer, describedBy, shop, look = quiet, className }: AddToListProps) {
  const { list, place } = shop
  const [said, setSaid] = useState<string | null>(null)
  const listed = list.lines.some(({ offerId }) => offerId === offer.id)
  const full = !listed && list.lines.length >= MOST_ORDERED
  const Icon = listed ? Check : Plus

  function press() {
    if (listed) return place.openList()
    if (full) return setSaid(`La lista è piena: ci stanno ${MOST_ORDERED} prodotti.`)
    list.add(offer)
    return setSaid('Aggiunto alla lista')
  }

  return (
    <>
      <button
        type="button"
        aria-describedby={describedBy}
        className={cn(look, 'needs-script', className)}
        onClick={press}
      >
        <Icon aria-hidden />
        <span>
          {listed ? 'Nella lista' : 'Aggiungi alla lista'}
          {listed ? <span className="sr-only"> (apri la lista)</span> : null}
        </span>
      </button>
      <p role="status" className={full ? 'text-center text-sm text-muted empty:hidden' : 'sr-only'}>
        {listed || full ? said : null}
      </p>
    </>
  )
}
