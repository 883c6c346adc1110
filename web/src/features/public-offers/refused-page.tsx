import type { PublicOffersError, PublicPharmacy } from '@bancone/contract/public-offers'
import { CircleAlert, Phone } from 'lucide-react'
import { primary, secondary } from './looks.ts'
import { isPlainClick } from './offer-link.tsx'
import { PageMessage } from './page-message.tsx'
import { PublicFooter } from './public-footer.tsx'
import { LOAD_FAILED, refusals } from './refusals.ts'

type RefusedPageProps = {
  /** Null: the offers could not be loaded. */
  error: PublicOffersError | null
  pharmacy: PublicPharmacy | null
  onRetry: () => void
}

/** Replaces the page: why there are no offers, and how to reach the pharmacy. */
export function RefusedPage({ error, pharmacy, onRetry }: RefusedPageProps) {
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
