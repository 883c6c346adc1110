import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import {
  type OrderedProduct,
  orderMessage,
  prescriptionLines,
  whatsAppLink,
} from '@bancone/contract/whatsapp-order'
import { MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { cn } from '../../ui/class-names.ts'
import type { Prescription } from './prescription-fields.tsx'
import type { Shop } from './shop.ts'
import { primary } from './styles.ts'

/** Label of the order button: medicines are reserved, not ordered. */
export function orderLabel(medicine: boolean): string {
  return medicine ? 'Prenota via WhatsApp' : 'Ordina via WhatsApp'
}

/** A product in a message: quantity one, unless the customer has set another. */
export function orderedProduct(
  offer: PublicOffer,
  wish: Pick<OrderedProduct, 'quantity' | 'equivalent'> = { quantity: 1, equivalent: false },
): OrderedProduct {
  const { type, cents } = publicPrice(offer)
  return {
    name: offer.fields.Nome_Prodotto,
    cents,
    discounted: type === 'discount',
    medicine: offer.medicine,
    ...wish,
  }
}

/** Shown when the pharmacy has no number that messages can be sent to. */
export const NO_PHONE =
  'Numero di telefono della farmacia non disponibile. Contattaci per assistenza.'

type OrderLinkProps = {
  products: readonly OrderedProduct[]
  offerIds: readonly string[]
  /** Element id of the product's name, for screen readers. */
  describedBy?: string
  shop: Pick<Shop, 'pharmacy' | 'tracker'>
  prescription?: Prescription
  className?: string
}

/**
 * Opens a chat with the pharmacy with the order as the message. With codes of a prescription it is a button: the middle
 * button and the menu of a link would open the address in the document, which has no codes.
 */
export function OrderLink(props: OrderLinkProps) {
  const { products, offerIds, describedBy, shop, prescription, className } = props
  const [missing, setMissing] = useState(0)
  const { whatsAppNumber: number } = shop.pharmacy
  const look = cn(primary, className)
  const words = (
    <>
      <MessageCircle aria-hidden />
      <span>{orderLabel(products.some(({ medicine }) => medicine))}</span>
    </>
  )
  if (number === null) {
    return (
      <>
        <button
          type="button"
          aria-describedby={describedBy}
          className={cn(look, 'needs-script')}
          onClick={() => setMissing(missing + 1)}
        >
          {words}
        </button>
        {missing > 0 ? (
          // The key changes with each click, so that screen readers announce the text again.
          <p key={missing} role="alert" className="text-sm text-danger">
            {NO_PHONE}
          </p>
        ) : null}
      </>
    )
  }

  /** Puts the message into a link that is about to open the chat, and counts the order. */
  const prepare = (link: HTMLAnchorElement) => {
    // Each message has a code of its own.
    const code = shop.pharmacy.hasOrderCodes ? shop.tracker.orderCode() : null
    link.href = whatsAppLink(number, orderMessage(products, code, prescription?.typed))
    shop.tracker.whatsApp(offerIds, code)
  }

  return (
    <>
      {prescription && prescriptionLines(prescription.typed).length > 0 ? (
        <button
          type="button"
          aria-describedby={describedBy}
          className={look}
          onClick={() => {
            // Never in the document: the codes are health data.
            const link = document.createElement('a')
            link.target = '_blank'
            link.rel = 'noopener noreferrer'
            prepare(link)
            link.click()
            prescription.markSent()
          }}
        >
          {words}
        </button>
      ) : (
        <a
          href={whatsAppLink(number, orderMessage(products))}
          target="_blank"
          rel="noopener noreferrer"
          aria-describedby={describedBy}
          className={look}
          onClick={({ currentTarget }) => prepare(currentTarget)}
        >
          {words}
        </a>
      )}
      {prescription ? (
        <p role="status" className="text-sm text-muted empty:hidden">
          {prescription.isSent
            ? 'I codici sono nel messaggio di WhatsApp. Se WhatsApp non si è aperto, premi di nuovo.'
            : null}
        </p>
      ) : null}
    </>
  )
}
