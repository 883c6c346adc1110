import { Info, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { square } from './looks.ts'
import { goneText } from './offer-texts.ts'
import { focusOn, PAGE_TITLE_ID } from './page-focus.ts'
import type { Shop } from './shop.ts'
import { useHydrated } from './use-hydrated.ts'

type NoticeProps = { children: ReactNode; onClose?: () => void }

function Notice({ children, onClose }: NoticeProps) {
  return (
    <div
      role="status"
      className="flex min-h-12 items-center gap-3 rounded-card border border-pending-line bg-pending-soft py-0.5 pr-1 pl-3.5 text-pending"
    >
      <Info aria-hidden className="size-5 shrink-0" />
      <p className="min-w-0 flex-1 py-2 leading-snug text-pretty break-words">{children}</p>
      {onClose ? (
        <button
          type="button"
          aria-label="Chiudi l'avviso"
          className={square}
          onClick={() => {
            onClose()
            focusOn(PAGE_TITLE_ID)
          }}
        >
          <X aria-hidden />
        </button>
      ) : null}
    </div>
  )
}

function GoneOffer() {
  const place = useRef<HTMLDivElement>(null)
  const alive = useHydrated()
  const [cameLater] = useState(alive)

  // The offer's dialog was open and had the focus, wherever the page is scrolled to.
  useEffect(() => {
    if (!cameLater) return
    place.current?.scrollIntoView({ block: 'nearest' })
    if (document.activeElement === document.body) focusOn(PAGE_TITLE_ID)
  }, [cameLater])

  return (
    <div ref={place} className="scroll-mt-4">
      <Notice>Questa offerta non è più disponibile</Notice>
    </div>
  )
}

/** Notices about offers that are gone: the opened one, and items of the list. */
export function PageNotices({ goneOffer, shop }: { goneOffer: boolean; shop: Shop }) {
  const { gone, clearGone } = shop.list
  return (
    <>
      {goneOffer ? <GoneOffer /> : null}
      {gone.length > 0 ? <Notice onClose={clearGone}>{goneText(gone)}</Notice> : null}
    </>
  )
}
