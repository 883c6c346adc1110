import {
  listPublicOffers,
  type PublicOffers,
  type PublicOffersError,
  type PublicPage,
  type PublicPharmacy,
} from '@bancone/contract/public-offers'
import { CircleAlert, Phone } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useOrderList } from './order-list.ts'
import { focusOn, PAGE_TITLE_ID } from './page-focus.ts'
import { PageMessage } from './page-message.tsx'
import { LOAD_FAILED, openedOffer, pageTitle, refusals } from './page-texts.ts'
import { PublicFooter } from './public-footer.tsx'
import { OffersPage } from './public-offers-page.tsx'
import { isPublicOffers } from './read-offers.ts'
import { noTracker, type PageTracker } from './shop.ts'
import { primary, secondary } from './styles.ts'
import { isPlainClick, usePageLocation } from './use-page-location.ts'

type PublicOffersAppProps = {
  /** As in the URL. */
  code: string
  /** Server-rendered data of the page; null when the server has rendered nothing. */
  page: PublicPage | null
  publicUrl: string
  tracker: PageTracker
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
export function PublicOffersApp({ code, page, publicUrl, tracker: all }: PublicOffersAppProps) {
  const first = page ? (page.content ?? 'failed') : code.trim() === '' ? NO_CODE : 'loading'
  const { offers, retry } = useFreshOffers(code, first)
  const content = typeof offers === 'string' ? null : offers
  const pharmacy = content?.error === undefined ? (content?.pharmacy ?? null) : null
  const tracker = pharmacy?.isCounting ? all : noTracker
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
  useEffect(() => (shown ? tracker.view() : undefined), [shown, tracker])
  useEffect(() => {
    if (opened !== undefined) tracker.opened(opened)
  }, [opened, tracker])

  const retried = useRef(false)
  useEffect(() => {
    if (offers === 'loading' || !retried.current) return
    retried.current = false
    // The focused element has disappeared.
    focusOn(PAGE_TITLE_ID)
  }, [offers])

  if (offers === 'loading') return <LoadingPage />
  if (content && pharmacy) {
    return (
      <OffersPage content={content} shop={{ pharmacy, publicUrl, navigation, list, tracker }} />
    )
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

/** Placeholder for the page while it is loading. */
function LoadingPage() {
  return (
    <main className="mx-auto w-full max-w-5xl px-3 py-6 md:px-6">
      <p role="status" className="py-4 text-center text-muted">
        Caricamento offerte in corso...
      </p>
      <div aria-hidden className="grid animate-pulse grid-cols-2 gap-2.5 md:gap-4 lg:grid-cols-3">
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <div key={card} className="rounded-card border border-line bg-surface p-3">
            <div className="aspect-square rounded-control bg-sunken" />
            <div className="mt-3 h-5 rounded bg-sunken" />
            <div className="mt-2 h-7 w-1/2 rounded bg-sunken" />
            <div className="mt-4 h-12 rounded-control bg-sunken" />
          </div>
        ))}
      </div>
    </main>
  )
}

type RefusedPageProps = {
  /** Null: the offers could not be loaded. */
  error: PublicOffersError | null
  pharmacy: PublicPharmacy | null
  onRetry: () => void
}

/** Replaces the page: why there are no offers, and how to reach the pharmacy. */
function RefusedPage({ error, pharmacy, onRetry }: RefusedPageProps) {
  const refusal = error === null ? LOAD_FAILED : refusals[error]
  const callNumber = error === null ? null : (pharmacy?.callNumber ?? null)
  return (
    <div className="flex min-h-dvh flex-col">
      <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-3">
        <PageMessage
          alone
          icon={<CircleAlert />}
          {...refusal}
          action={
            <>
              {error === null ? (
                <a
                  // Reloads this page.
                  href="?"
                  className={primary}
                  onClick={(event) => {
                    if (!isPlainClick(event)) return
                    event.preventDefault()
                    onRetry()
                  }}
                >
                  Riprova
                </a>
              ) : null}
              {callNumber === null ? null : (
                <a href={`tel:${callNumber}`} className={primary}>
                  <Phone aria-hidden />
                  Chiama la farmacia
                </a>
              )}
              <a href="/" className={error === null || callNumber !== null ? secondary : primary}>
                Torna alla Home
              </a>
            </>
          }
        />
        {pharmacy ? <Contact pharmacy={pharmacy} /> : null}
      </main>
      <PublicFooter code={null} />
    </div>
  )
}

function Contact({ pharmacy: { name, phone, callNumber } }: { pharmacy: PublicPharmacy }) {
  return (
    <address className="mb-14 flex flex-col items-center border-t border-line pt-6 text-center not-italic">
      <p className="font-medium break-words">{name}</p>
      {callNumber !== null && phone !== null ? (
        <a
          href={`tel:${callNumber}`}
          className="inline-flex min-h-12 items-center gap-2 text-accent underline-offset-4 hover:underline"
        >
          <Phone aria-hidden className="size-4.5" />
          {phone}
        </a>
      ) : null}
      {callNumber === null && phone !== null ? <p className="text-muted">Tel. {phone}</p> : null}
    </address>
  )
}

/** Milliseconds in the background after which the page may be outdated. */
const STALE_MS = 60_000

type Offers = PublicOffers | 'loading' | 'failed'

/** The offers: as rendered by the server, and reloaded when the user returns to the page. */
function useFreshOffers(code: string, first: Offers) {
  const [offers, setOffers] = useState(first)
  const latest = useRef(0)

  const load = useCallback(
    (onFailure: () => void) => {
      const asked = ++latest.current
      loadOffers(code).then(
        (loaded) => (asked === latest.current ? setOffers(loaded) : undefined),
        () => (asked === latest.current ? onFailure() : undefined),
      )
    },
    [code],
  )

  const retry = useCallback(() => {
    setOffers('loading')
    load(() => setOffers('failed'))
  }, [load])

  useEffect(() => {
    if (first === 'loading') load(() => setOffers('failed'))
  }, [first, load])

  useEffect(() => {
    let hiddenAt: number | null = document.hidden ? Date.now() : null
    const look = () => {
      if (document.hidden) {
        hiddenAt = Date.now()
        return
      }
      // In the background: what is on the screen stays if it fails.
      if (hiddenAt !== null && Date.now() - hiddenAt > STALE_MS) load(() => undefined)
      hiddenAt = null
    }
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [load])

  return { offers, retry }
}

const TIME_LIMIT_MS = 12_000

/**
 * Loads the current offers of a pharmacy.
 * @throws on network errors, timeouts and invalid responses
 */
async function loadOffers(code: string): Promise<PublicOffers> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), TIME_LIMIT_MS)
  try {
    const response = await fetch(
      listPublicOffers.path.replace(':pharmacyCode', encodeURIComponent(code)),
      {
        signal: limit.signal,
      },
    )
    const offers: unknown = response.ok ? await response.json() : null
    if (!isPublicOffers(offers)) throw new Error('The offers were not answered')
    return offers
  } finally {
    clearTimeout(timer)
  }
}
