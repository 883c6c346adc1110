import { formatPrice } from '@bancone/contract/money'
import { publicOffersPath } from '@bancone/contract/pages'
import {
  type PublicOffer,
  type PublicOffers,
  type PublicPage,
  publicPrice,
} from '@bancone/contract/public-offers'
import { openedOffer, pageTitle } from '../features/public-offers/page-title.ts'
import { scriptText } from './document-text.ts'
import { htmlText, tag } from './html-text.ts'
import { structuredData } from './structured-data.ts'

/** Pictures for previews are drawn as large as that. */
const SHARED = { width: 1200, height: 630 }

/** What a tab, a search engine and a preview in a chat are told of the page. */
export function pageHead({ content, offerId, publicUrl, shareImage }: PublicPage): string {
  const title = pageTitle(content, offerId)
  const named = `<title>${htmlText(title)}</title>`
  if (!content?.pharmacy || content.error !== undefined) {
    return named + tag('meta', { name: 'robots', content: 'noindex' })
  }
  const offer = openedOffer(content, offerId)
  const description = offer ? offerText(offer, content) : pharmacyText(content)
  const canonical = publicUrl + publicOffersPath(content.pharmacy.pharmacy_id, offer?.id)
  const image = shareImage === null ? null : new URL(shareImage, publicUrl).href
  const og = (property: string, value: string) => tag('meta', { property, content: value })
  return [
    named,
    tag('meta', { name: 'description', content: description }),
    // The page of an offer that is gone is that of the others, and has an address of its own.
    offerId === null || offer ? '' : tag('meta', { name: 'robots', content: 'noindex' }),
    tag('link', { rel: 'canonical', href: canonical }),
    og('og:type', 'website'),
    og('og:site_name', content.pharmacy.name),
    og('og:locale', 'it_IT'),
    og('og:title', title),
    og('og:description', description),
    og('og:url', canonical),
    ...(image === null
      ? [tag('meta', { name: 'twitter:card', content: 'summary' })]
      : [
          og('og:image', image),
          og('og:image:type', 'image/jpeg'),
          og('og:image:width', String(SHARED.width)),
          og('og:image:height', String(SHARED.height)),
          og('og:image:alt', title),
          tag('meta', { name: 'twitter:card', content: 'summary_large_image' }),
        ]),
    `<script type="application/ld+json">${scriptText(structuredData(content, offer, publicUrl))}</script>`,
  ].join('')
}

/** Previews show about 80 signs of it. */
function pharmacyText({ offers, pharmacy }: PublicOffers): string {
  const count = offers.length === 1 ? '1 prodotto' : `${offers.length} prodotti`
  const whose = pharmacy?.name ?? ''
  if (offers.length === 0) return `Le offerte di ${whose}.`
  return `${count} in offerta da ${whose}: prezzi e ordini via WhatsApp.`
}

function offerText(offer: PublicOffer, { pharmacy }: PublicOffers): string {
  const { cents, before } = publicPrice(offer)
  const how = offer.medicine ? 'Prenota' : 'Ordina'
  const price =
    before === null ? formatPrice(cents) : `${formatPrice(cents)} invece di ${formatPrice(before)}`
  return `${price}. ${how} via WhatsApp da ${pharmacy?.name ?? ''}.`
}
