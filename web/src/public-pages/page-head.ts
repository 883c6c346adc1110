import { variantUrl } from '@bancone/contract/image-variants'
import { formatPrice } from '@bancone/contract/money'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { publicOffersPath } from '@bancone/contract/pages'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import {
  filterAndSortOffers,
  type PublicOffer,
  type PublicOffers,
  type PublicPage,
  publicPrice,
} from '@bancone/contract/public-offers'
import { openedOffer, pageTitle } from '../features/public-offers/page-texts.ts'
import { webLink } from '../lib/links.ts'
import { htmlText, scriptText, tag } from './document-text.ts'

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

type Json = Record<string, unknown>

/** Of the offer that is open, or else of all: the pharmacy and what it offers, in the words of schema.org. */
function structuredData(
  content: PublicOffers,
  opened: PublicOffer | undefined,
  publicUrl: string,
): Json {
  const pharmacy = pharmacyData(content, publicUrl)
  const shown = opened ? [] : filterAndSortOffers(content, { tipo: 'all' })
  const list = {
    '@type': 'ItemList',
    numberOfItems: shown.length,
    itemListElement: shown.map((offer, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      item: productData(offer, content, publicUrl),
    })),
  }
  return {
    '@context': 'https://schema.org',
    '@graph': [
      pharmacy,
      ...(opened ? [{ ...productData(opened, content, publicUrl), ...described(opened) }] : []),
      ...(shown.length > 0 ? [list] : []),
    ],
  }
}

function pharmacyUri({ pharmacy }: PublicOffers, publicUrl: string): string {
  return `${publicUrl}${publicOffersPath(pharmacy?.pharmacy_id ?? '')}#farmacia`
}

function pharmacyData(content: PublicOffers, publicUrl: string): Json {
  const { pharmacy } = content
  const logo = webLink(pharmacy?.logoUrl)
  return {
    '@type': 'Pharmacy',
    '@id': pharmacyUri(content, publicUrl),
    name: pharmacy?.name,
    url: publicUrl + publicOffersPath(pharmacy?.pharmacy_id ?? ''),
    ...(pharmacy?.callNumber && { telephone: pharmacy.callNumber }),
    ...(pharmacy?.address && { address: pharmacy.address }),
    ...(logo && { logo: new URL(variantUrl(logo, 'original'), publicUrl).href }),
    ...(pharmacy?.profile && profileData(pharmacy.profile)),
  }
}

const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function profileData({ openingWeek, closings, description, mapUrl }: PublicProfile): Json {
  const hours = (openingWeek ?? []).flatMap((spans, index) =>
    spans.map(({ from, to }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: `https://schema.org/${days[index]}`,
      opens: from,
      // Equal times would be a closed day.
      closes: from === to ? '23:59' : to,
    })),
  )
  // Closed: opens and closes at midnight.
  const closed = closings.map(({ from, to }) => ({
    '@type': 'OpeningHoursSpecification',
    validFrom: from,
    validThrough: to,
    opens: '00:00',
    closes: '00:00',
  }))
  return {
    ...(description && { description }),
    ...(mapUrl && { hasMap: mapUrl }),
    ...(hours.length > 0 && { openingHoursSpecification: hours }),
    ...(closed.length > 0 && { specialOpeningHoursSpecification: closed }),
  }
}

function productData(offer: PublicOffer, content: PublicOffers, publicUrl: string): Json {
  const { Nome_Prodotto: name, Categoria, URL_Immagine: picture } = offer.fields
  const image = picture === PLACEHOLDER_IMAGE ? null : webLink(picture)
  return {
    '@type': 'Product',
    name,
    category: Categoria,
    ...(image && { image: new URL(variantUrl(image, 'original'), publicUrl).href }),
    offers: priceData(offer, content, publicUrl),
  }
}

/** In a list it would double the page. Of a medicine there is none. */
function described({ fields: { Descrizione }, medicine }: PublicOffer): Json {
  return Descrizione && !medicine ? { description: Descrizione } : {}
}

function euros(cents: number): string {
  return (cents / 100).toFixed(2)
}

function priceData(offer: PublicOffer, content: PublicOffers, publicUrl: string): Json {
  const { type, cents } = publicPrice(offer)
  const { Data_Fine: end } = offer.fields
  const price = { '@type': 'UnitPriceSpecification', price: euros(cents), priceCurrency: 'EUR' }
  const before = {
    '@type': 'UnitPriceSpecification',
    priceType: 'https://schema.org/StrikethroughPrice',
    price: euros(offer.prior?.cents ?? 0),
    priceCurrency: 'EUR',
  }
  return {
    '@type': 'Offer',
    url: publicUrl + publicOffersPath(content.pharmacy?.pharmacy_id ?? '', offer.id),
    price: euros(cents),
    priceCurrency: 'EUR',
    availability: 'https://schema.org/InStock',
    ...(end && { priceValidUntil: end }),
    seller: { '@id': pharmacyUri(content, publicUrl) },
    // The lowest price of the 30 days before, as the law means it.
    ...(type === 'discount' && offer.prior && { priceSpecification: [price, before] }),
  }
}
