import { getOrder, HOLD_REASON_LENGTH, type OrderHold } from '@bancone/contract/order-details'
import { holdOrder, releaseOrder } from '@bancone/contract/order-retention'
import { useQueryClient } from '@tanstack/react-query'
import { Lock, LockOpen } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { endpointKey, updateCached } from '../../../lib/endpoint-query.ts'
import { focusFirstButton } from '../../../lib/focus-first-button.ts'
import { useOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { useAction } from '../../../lib/use-action.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { hasCustomer, type OrderView } from '../data/order-view.ts'
import { DetailsSection, RelativeTime } from './details-section.tsx'
import { actorName } from './history-texts.ts'

/** With what is said below and above the field. */
function showForm(form: RefObject<HTMLFormElement | null>) {
  requestAnimationFrame(() => {
    form.current?.querySelector('textarea')?.focus()
    form.current?.scrollIntoView?.({ block: 'nearest' })
  })
}

type HoldFormProps = {
  /** @throws when it could not be saved */
  onHold: (reason: string) => Promise<void>
  onCancel: () => void
}

function HoldForm({ onHold, onCancel }: HoldFormProps) {
  const [reason, setReason] = useState('')
  const [error, setError] = useState<string | undefined>()
  const { busy, failure, clearFailure, run } = useAction()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => showForm(form), [])

  async function submit() {
    clearFailure()
    const body = holdOrder.body.safeParse({ reason })
    if (body.success) await run(() => onHold(body.data.reason))
    else if (reason.trim() === '') setError('Scrivi il motivo.')
    showForm(form)
  }

  return (
    <form
      ref={form}
      noValidate
      className="flex scroll-mb-4 flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <FailureAlert failure={failure} />
      <TextArea
        label="Motivo"
        hint="Per esempio un reclamo in corso. Se il cliente chiede una copia dei suoi dati, lo legge."
        required
        maxCharacters={HOLD_REASON_LENGTH}
        error={error}
        value={reason}
        readOnly={busy}
        onChange={({ target }) => {
          setReason(target.value)
          setError(undefined)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" inactive={busy}>
          {busy ? 'Salvataggio…' : "Blocca l'eliminazione"}
        </Button>
        <Button inactive={busy} onClick={onCancel}>
          Annulla
        </Button>
      </div>
    </form>
  )
}

function HoldFacts({ hold }: { hold: OrderHold }) {
  const now = useNow()
  return (
    <div className="rounded-control border border-line px-3 py-2">
      <p className="whitespace-pre-line wrap-anywhere">Bloccata: {hold.reason}</p>
      <p className="text-sm text-muted">
        {hold.who ? `${actorName(hold.who)} · ` : null}
        <RelativeTime value={hold.at} now={now} />
      </p>
    </div>
  )
}

type HoldSectionProps = { order: OrderView; hold: OrderHold | null }

/** Whether the data of the order's customer may be deleted. Owners hold and release them. */
export function HoldSection({ order, hold }: HoldSectionProps) {
  const { recordId } = order
  const client = useQueryClient()
  const isOwner = useOwnPharmacy().data?.role === 'owner'
  const [open, setOpen] = useState<'form' | 'question' | null>(null)
  const content = useRef<HTMLDivElement>(null)
  const isHeld = hold !== null
  // A colleague has held or released it.
  if (open === (isHeld ? 'form' : 'question')) setOpen(null)
  const before = useRef({ isHeld, open })
  useEffect(() => {
    // What has had the focus was removed: the form, or the question with its dialog.
    const isLost = document.activeElement?.matches('body, [role=dialog]') ?? true
    if (before.current.isHeld !== isHeld && before.current.open !== null && isLost)
      focusButton(content)
    before.current = { isHeld, open }
  })

  const update = (next: OrderHold | null) =>
    updateCached(client, getOrder, (details) =>
      details.order.id === recordId ? { ...details, hold: next } : details,
    )

  async function holdIt(reason: string) {
    try {
      await update(await call(holdOrder, { params: { recordId }, body: { reason } }))
    } catch (error) {
      // It may have been held, by a colleague or by this request.
      void client.invalidateQueries({ queryKey: endpointKey(getOrder) })
      throw error
    }
  }

  async function release() {
    await call(releaseOrder, { params: { recordId } })
    await update(null)
  }

  if (!isHeld && !(isOwner && hasCustomer(order))) return null
  return (
    <DetailsSection
      title="Eliminazione dei dati"
      hint={
        isHeld
          ? 'Finché un titolare non la sblocca, Bancone non elimina i dati del cliente da questo ordine'
          : 'I dati del cliente si eliminano quando scadono, o se il cliente lo chiede'
      }
    >
      <div ref={content} className="flex scroll-mb-4 flex-col items-start gap-3 *:w-full">
        {isHeld ? <HoldFacts hold={hold} /> : null}
        {isOwner && open === 'form' ? (
          <HoldForm
            onHold={holdIt}
            onCancel={() => {
              setOpen(null)
              focusFirstButton(content)
            }}
          />
        ) : null}
        {isOwner && open !== 'form' ? (
          <Button className="w-auto!" onClick={() => setOpen(isHeld ? 'question' : 'form')}>
            {isHeld ? <LockOpen aria-hidden /> : <Lock aria-hidden />}
            {isHeld ? "Sblocca l'eliminazione" : "Blocca l'eliminazione"}
          </Button>
        ) : null}
      </div>
      {open === 'question' ? (
        <ConfirmDialog
          title="Sbloccare l'eliminazione?"
          text="I dati del cliente si eliminano quando scadono, al più presto la prossima notte, o se il cliente lo chiede."
          confirm="Sblocca"
          confirming="Salvataggio in corso…"
          onConfirm={release}
          onClose={() => setOpen(null)}
          onReturnFocus={() => focusFirstButton(content)}
        />
      ) : null}
    </DetailsSection>
  )
}

function focusButton(content: RefObject<HTMLElement | null>) {
  content.current?.scrollIntoView?.({ block: 'nearest' })
  content.current?.querySelector('button')?.focus()
}
