import type { PublicOffers, PublicPage } from '@bancone/contract/public-offers'
import { useEffect, useRef } from 'react'
import { LoadingPage } from './loading-page.tsx'
import { OffersPage } from './offers-page.tsx'
import { focusOn, PAGE_TITLE_ID } from './page-focus.ts'
import { openedOffer, pageTitle } from './page-title.ts'
import { RefusedPage } from './refused-page.tsx'
import { noVisits, type OfferVisits } from './shop.ts'
import { useFreshOffers } from './use-fresh-offers.ts'
import { useOrderList } from './use-order-list.ts'
import { usePageLocation } from './use-page-location.ts'

type PublicOffersAppProps = {
  /** As in the URL. */
  code: string
  /** Server-rendered data of the page; null when the server has rendered nothing. */
  page: PublicPage | null
  publicUrl: string
  visits: OfferVisits
}

const NO_CODE: PublicOffers = {
  offers: [],
  arranged: false,
  pharmacy: null,
  error: 'ID farmacia non valido',
  categories: [],
  day: '1970-01-01',
}

/** The public page of a pharmacy's offers, on the server and in the browser. */
export function PublicOffersApp({ code, page, publicUrl, visits: all }: PublicOffersAppProps) {
  const first = page ? (page.content ?? 'failed') : code === '' ? NO_CODE : 'loading'
  const { offers, retry } = useFreshOffers(code, first)
  const content = typeof offers === 'string' ? null : offers
  const pharmacy = content?.error === undefined ? (content?.pharmacy ?? null) : null
  const visits = pharmacy?.isCounting ? all : noVisits
  const navigation = usePageLocation(
    pharmacy?.pharmacy_id ?? code,
    page && { search: page.search, offerId: page.offerId, list: false },
  )
  const list = useOrderList(code, content && pharmacy ? content.offers : null)
  const opened = content ? openedOffer(content, navigation.offerId)?.id : undefined

  const title = offers === 'loading' ? null : pageTitle(content, navigation.offerId)
  useEffect(() => {
    if (title !== null) document.title = title
  }, [title])

  const shown = pharmacy !== null
  useEffect(() => (shown ? visits.view() : undefined), [shown, visits])
  useEffect(() => {
    if (opened !== undefined) visits.opened(opened)
  }, [opened, visits])

  const retried = useRef(false)
  useEffect(() => {
    if (offers === 'loading' || !retried.current) return
    retried.current = false
    // The focused element has disappeared.
    focusOn(PAGE_TITLE_ID)
  }, [offers])

  if (offers === 'loading') return <LoadingPage />
  if (content && pharmacy) {
    return <OffersPage content={content} shop={{ pharmacy, publicUrl, navigation, list, visits }} />
  }
  return (
    <RefusedPage
      error={content?.error ?? null}
      pharmacy={content?.pharmacy ?? null}
      onRetry={() => {
        retried.current = true
        retry()
      }}
    />
  )
}
