import type { OfferRecord } from '@bancone/contract/offers'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { useQueryClient } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useGuardedOverlay } from '../../lib/use-guarded-overlay.ts'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { RetryAlert } from '../../ui/retry-alert.tsx'
import { DeleteOfferDialog } from './delete-offer-dialog.tsx'
import { FormSkeleton } from './form-skeleton.tsx'
import { offerLinkId, returnFocusTo } from './offer-focus.ts'
import type { OfferFormSlot } from './offer-form-slot.ts'
import { countLimited, countStates, type StateCounts, stateOf } from './offer-lists.ts'
import { unshownText } from './offer-texts.ts'
import { useOffersAddress } from './offers-address.ts'
import { setCachedOffer } from './offers-cache.ts'
import { OffersHeader } from './offers-header.tsx'
import { OffersSection } from './offers-section.tsx'
import { OverviewSkeleton } from './offers-skeleton.tsx'
import { PublicPagePanel } from './public-page-panel.tsx'
import { useOfferForm } from './use-offer-form.ts'
import { useOffers } from './use-offers.ts'
import { useToggleOffer, withStatus } from './use-toggle-offer.ts'

const loadArranging = async () => (await import('./arrange/arrange-sheet.tsx')).ArrangeSheet

type OffersPageProps = {
  pharmacy: OwnPharmacy
  /** The editor, which uses other features, too. */
  form: (slot: OfferFormSlot) => ReactNode
}

export function OffersPage({ pharmacy, form }: OffersPageProps) {
  const client = useQueryClient()
  const wide = useMediaQuery(WIDE)
  const [address, go] = useOffersAddress()
  const { listed, failed, isFetching, read } = useOffers()
  const { pending, toggle } = useToggleOffer(listed?.limit.most ?? 0)
  const offers = listed?.offers.map((offer) => withStatus(offer, pending.get(offer.id)))
  const { task, ...editor } = useOfferForm(address, listed?.offers)
  const arranging = useGuardedOverlay('arrange-offers')
  const [deleting, setDeleting] = useState<{ offer: OfferRecord; back: () => void } | null>(null)
  const [changed, setChanged] = useState<string | null>(null)
  const newButton = useRef<HTMLButtonElement>(null)
  const arrangeButton = useRef<HTMLButtonElement>(null)
  const waits = editor.isAsked && !listed && !failed
  const alone = (task !== null || waits) && !wide

  const formId = task && (task.kind === 'new' ? 'nuova' : task.offer.id)
  useFormFocus(formId, newButton)

  const today = listed?.today ?? ''
  const active = offers?.filter((offer) => stateOf(offer, today) === 'active').length ?? 0
  const limited = countLimited(offers ?? [], today)

  return (
    <div className="flex flex-col gap-3.5 md:gap-5">
      <OffersHeader
        loading={isFetching}
        canCreate={offers !== undefined || !failed}
        canArrange={limited > 1}
        newButton={newButton}
        arrangeButton={arrangeButton}
        alone={alone}
        creating={task !== null && task.kind !== 'edit'}
        onRefresh={read}
        onArrange={arranging.open}
        onNew={() => editor.open({ offerta: 'nuova' })}
      />
      {failed ? (
        <RetryAlert busy={isFetching} onRetry={read}>
          Si è verificato un errore nel caricamento delle offerte. Riprova più tardi.
        </RetryAlert>
      ) : null}
      {waits ? <FormSkeleton /> : null}
      {task && listed
        ? form({
            task,
            today,
            limit: { active: limited, most: listed.limit.most },
            onSaved(offer) {
              void setCachedOffer(client, offer)
              setChanged(offer.id)
              if (task.kind === 'edit') editor.close()
              else editor.go({ kind: 'new' })
            },
            onTask: editor.go,
            onClose: editor.close,
          })
        : null}
      {alone ? null : (
        <>
          {listed ? (
            <OffersOverview
              pharmacy={pharmacy}
              shown={Math.min(active, listed.limit.most ?? active)}
              active={limited}
              counts={countStates(listed.offers, today)}
              most={listed.limit.most}
            />
          ) : failed ? null : (
            <OverviewSkeleton />
          )}
          {offers || !failed ? (
            <OffersSection
              offers={offers}
              today={today}
              address={address}
              go={go}
              code={pharmacy.pharmacyCode}
              updating={pending}
              changed={changed}
              editor={editor}
              onDelete={(offer, opener) => setDeleting({ offer, back: returnFocusTo(opener) })}
              onToggle={toggle}
              newAction={
                <Button look="primary" onClick={() => editor.open({ offerta: 'nuova' })}>
                  <Plus aria-hidden />
                  Nuova offerta
                </Button>
              }
            />
          ) : null}
        </>
      )}
      {deleting ? (
        <DeleteOfferDialog
          offer={deleting.offer}
          onDeleted={() => (formId === deleting.offer.id ? editor.close() : undefined)}
          onClose={() => setDeleting(null)}
          onReturnFocus={deleting.back}
        />
      ) : null}
      <LazyBoundary
        load={loadArranging}
        props={
          arranging.isOpen && offers
            ? {
                offers,
                today,
                entry: arranging,
                onReturnFocus: () => arrangeButton.current?.focus(),
              }
            : null
        }
        onLoadError={arranging.close}
      />
    </div>
  )
}

/** Opening the form scrolls to it; closing returns the focus to the opener. */
function useFormFocus(formId: string | null, newButton: { current: HTMLElement | null }) {
  const before = useRef(formId)
  useEffect(() => {
    const last = before.current
    before.current = formId
    if (formId !== null) {
      if (last !== formId) window.scrollTo({ top: 0, behavior: 'instant' })
      return
    }
    if (last === null) return
    ;(document.getElementById(offerLinkId(last)) ?? newButton.current)?.focus()
  }, [formId, newButton])
}

type OffersOverviewProps = {
  pharmacy: OwnPharmacy
  /** Number of published offers. */
  shown: number
  /** Number of offers that count towards the limit. */
  active: number
  /** The active offers that customers do not see. */
  counts: StateCounts
  /** Null for any number. */
  most: number | null
}

/** What customers see, and the limit of offers. */
function OffersOverview({ pharmacy, shown, active, counts, most }: OffersOverviewProps) {
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-3.5 md:p-4 lg:min-h-22.5 lg:grid-cols-[minmax(0,1fr)_16rem] lg:items-center lg:gap-8">
      <PublicPagePanel pharmacy={pharmacy} shown={shown} unshown={unshownText(counts)} />
      <OfferLimit active={active} expired={counts.expired} most={most} />
    </div>
  )
}

/** Share of the limit from which on it is highlighted. */
const NEAR = 0.8

function note(active: number, most: number | null): string | null {
  if (most === null) return null
  if (active >= most) return "Hai raggiunto il massimo: per attivarne un'altra disattivane una."
  if (active < most * NEAR) return null
  const left = most - active
  return left === 1 ? 'Ne puoi attivare ancora 1.' : `Ne puoi attivare ancora ${left}.`
}

type OfferLimitProps = {
  /** Number of offers that count towards the limit. */
  active: number
  /** Active offers that are over, and do not count. */
  expired: number
  /** Null for any number. */
  most: number | null
}

/** Number of offers that count towards the limit, and the limit. */
function OfferLimit({ active, expired, most }: OfferLimitProps) {
  const words = note(active, most)
  const without =
    expired === 0 ? '' : expired === 1 ? ', senza quella scaduta' : `, senza le ${expired} scadute`
  if (most === null) {
    const count = active === 1 ? '1 offerta attiva' : `${active} offerte attive`
    return <p className="text-sm font-medium tabular-nums">{`${count}${without}`}</p>
  }
  const share = most === 0 ? 100 : Math.min(100, (active / most) * 100)
  return (
    <div className="flex min-w-0 flex-col gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
        <span className="font-medium">{`${active} di ${most} offerte attive${without}`}</span>
        {words === null ? null : <span className="text-muted">{words}</span>}
      </p>
      <span aria-hidden className="block h-1.5 overflow-hidden rounded-full bg-line">
        <span
          className={cn(
            'block h-full rounded-full',
            active >= most ? 'bg-danger' : words === null ? 'bg-accent' : 'bg-pending',
          )}
          style={{ width: `${share}%` }}
        />
      </span>
    </div>
  )
}
